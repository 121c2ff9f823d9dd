# tls.py CERTIFICATE: servers of TLS for the tests, which prints their three ports. The first reads
# one record of each connection and resets it, or says nothing more if that names /hang. The second
# is nghttpd, behind a relay. When a client comes to the third, the relay drops what it would send
# over the connections that it has then, and tells nobody. SPDX-License-Identifier: MIT
import os
import signal
import socket
import ssl
import struct
import subprocess
import sys
import threading


def listen():
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    listener.bind(("127.0.0.1", 0))
    listener.listen(64)
    return listener, listener.getsockname()[1]


def reset(listener, context, hung):
    while True:
        connection, _ = listener.accept()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        try:
            tls = context.wrap_socket(connection, server_side=True)
            if b" /hang " in tls.recv(1 << 14):
                hung.append(tls)
            else:
                tls.close()
        except OSError:   # it did not like the certificate
            connection.close()


def forward(source, sink, dark):
    try:
        while data := source.recv(1 << 16):
            if source not in dark and sink not in dark:
                sink.sendall(data)
        sink.shutdown(socket.SHUT_RDWR)
    except OSError:   # the other side has gone
        pass


def relay(listener, port, lit):
    while True:
        client, _ = listener.accept()
        server = socket.create_connection(("127.0.0.1", port))
        lit.append(client)
        for pair in (client, server), (server, client):
            threading.Thread(target=forward, args=(*pair, dark), daemon=True).start()


certificate = sys.argv[1]
folder = os.path.dirname(certificate)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate)
resets, relays, switch = listen(), listen(), listen()
spare, port = listen()
spare.close()
with open(os.path.join(folder, "index.html"), "w") as file:
    file.write("fine")
nghttpd = subprocess.Popen(["nghttpd", "-d", folder, str(port), certificate, certificate])
signal.signal(signal.SIGTERM, lambda *_: nghttpd.terminate() or os._exit(0))
dark, lit = set(), []
threading.Thread(target=reset, args=(resets[0], context, []), daemon=True).start()
threading.Thread(target=relay, args=(relays[0], port, lit), daemon=True).start()
print(resets[1], relays[1], switch[1], flush=True)
while True:
    client, _ = switch[0].accept()
    dark.update(lit)
    client.close()
