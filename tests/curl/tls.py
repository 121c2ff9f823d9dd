# libcurl_tls.py CERTIFICATE: a server of TLS that prints its port. It reads one record of each
# connection and resets it, or says nothing more if that names /hang. SPDX-License-Identifier: MIT
import socket
import ssl
import struct
import sys

context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[1])
listener = socket.socket()
listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
listener.bind(("127.0.0.1", 0))
listener.listen()
print(listener.getsockname()[1], flush=True)
hung = []
while True:
    connection, _ = listener.accept()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    tls = context.wrap_socket(connection, server_side=True)
    if b" /hang " in tls.recv(1 << 14):
        hung.append(tls)
    else:
        tls.close()
