/* For the tests of the examples with libcurl: an nginx, a scripted peer, a port where nobody listens, all on
   loopback, and how an example is run against them. SPDX-License-Identifier: MIT */
#ifndef CURL_FIXTURE_H
#define CURL_FIXTURE_H

#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "child.h"
#include "recording_server.h"
#include "../unit/support.h"

#define OK "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwhole"
#define UNAVAILABLE "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 10\r\n\r\nerror page"

static char dir[] = "/tmp/redial-curl-XXXXXX";
static uint16_t nginx_port, closed_port;
static pid_t nginx;
static struct recording_server peer;
static struct child child;          /* the example that a test runs */

/* ---- nginx ---- */

/* nginx executes `return` before limit_req, so a location that is limited serves a file. */
static const char configuration[] =
    "%s daemon off; worker_processes 1; pid nginx.pid; error_log error.log; events {}\n"
    "http {\n"
    "  access_log off; root www; client_max_body_size 1m;\n"
    "  client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3; uwsgi_temp_path t4; scgi_temp_path t5;\n"
    "  limit_req_zone $binary_remote_addr zone=limited:64k rate=2r/s;\n"
    "  limit_req_zone $binary_remote_addr zone=later:64k rate=1r/s;\n"
    "  limit_req_zone $binary_remote_addr zone=stored:64k rate=2r/s;\n"
    "  server {\n"
    "    listen 127.0.0.1:%u;\n"
    "    location = /limited { limit_req zone=limited; limit_req_status 429; }\n"
    "    location = /later { limit_req zone=later; error_page 503 @later; }\n"
    "    location @later { add_header Retry-After 1 always; return 503; }\n"
    "    location = /next-century { add_header Retry-After 'Fri, 31 Dec 2123 23:59:59 GMT' always; return 503; }\n"
    "    location = /last-century { add_header Retry-After 'Fri, 31 Dec 1999 23:59:59 GMT' always; return 503; }\n"
    "    location = /silent { return 444; }\n"
    "    location = /moved { return 302 /whole; }\n"
    "    location = /loop { return 302 /loop; }\n"
    "    location /stored/ { dav_methods PUT; limit_req zone=stored; limit_req_status 429; }\n"
    "    location /backend { proxy_pass http://127.0.0.1:%u; proxy_pass_header Date; }\n"
    "  }\n"
    "}\n";

static inline void path_to(char *path, size_t size, const char *name)
{
    snprintf(path, size, "%s/%s", dir, name);
}

static inline bool write_file(const char *name, const char *text)
{
    char path[64];
    FILE *file;
    path_to(path, sizeof path, name);
    file = fopen(path, "w");
    return file && fputs(text, file) >= 0 && fclose(file) == 0;
}

static inline bool make_files(void)
{
    char path[64], text[sizeof configuration + 64];
    path_to(path, sizeof path, "www");
    snprintf(text, sizeof text, configuration, geteuid() == 0 ? "user root;" : "", (unsigned)nginx_port,
             (unsigned)peer.port);
    return mkdir(path, 0700) == 0 && write_file("nginx.conf", text) && write_file("www/limited", "whole")
           && write_file("www/later", "whole") && write_file("www/whole", "whole");
}

/* nginx inherits a socket that already listens. So the port is free, and no test has to wait until nginx is up. */
static inline void exec_nginx(int listener)
{
    char inherited[16], log[64];
    snprintf(inherited, sizeof inherited, "%d;", listener);
    path_to(log, sizeof log, "error.log");
    setenv("NGINX", inherited, 1);
    child_follows_parent(SIGTERM);
    execl(NGINX, "nginx", "-p", dir, "-c", "nginx.conf", "-e", log, (char *)NULL);
    _exit(127);
}

static inline int start_servers(void **state)
{
    int listener = loopback_socket(&nginx_port);
    if (access(NGINX, X_OK) != 0) {
        puts("there is no nginx");
        exit(77);
    }
    setenv("no_proxy", "*", 1);
    if (!mkdtemp(dir) || listener < 0 || listen(listener, 64) != 0 || !recording_server_open(&peer)
        || loopback_socket(&closed_port) < 0 || !make_files())
        return -1;
    nginx = fork();
    if (nginx == 0)
        exec_nginx(listener);
    close(listener);
    return nginx > 0 ? 0 : -1;
}

static inline int stop_servers(void **state)
{
    kill(nginx, SIGTERM);
    waitpid(nginx, NULL, 0);
    return remove_folder(dir);
}

/* ---- running an example ---- */

struct request {
    uint16_t port;
    const char *path;
    const char *more;   /* options, a blank between each two words */
    const char *body;   /* one word more; NULL: no such option */
};

/* Short waits without jitter. A later option on the line counts. */
static inline void start(const struct request *request)
{
    static char url[128], more[256];
    const char *line[32] = { PROGRAM, "--url", url, "--base", "20ms", "--mode", "none" };
    unsigned count = 0;
    snprintf(url, sizeof url, "http://127.0.0.1:%u%s", (unsigned)request->port, request->path);
    snprintf(more, sizeof more, "%s", request->more);
    add_words(line, more);
    while (line[count])
        count++;
    if (request->body) {
        line[count] = "--body";
        line[count + 1] = request->body;
    }
    poison(&child, sizeof child);
    child_start(&child, dir, line);
}

static inline bool says(const char *text)
{
    return strstr(child.err, text) != NULL;
}

#define assert_says(text) assert_contains(child.err, text)

static inline void assert_done(void)
{
    assert_says("done;");
    assert_string_equal(child.out, "whole");
    assert_int_equal(child.exit_status, 0);
}

static inline void assert_given_up(const char *verdict)
{
    assert_says(verdict);
    assert_string_equal(child.out, "");
    assert_int_equal(child.exit_status, 1);
}

static inline unsigned long number_after(const char *text)
{
    assert_says(text);
    return strtoul(strstr(child.err, text) + strlen(text), NULL, 10);
}

/* Bad usage: one line, which has the text in it. */
static inline void assert_refused(const char *text)
{
    assert_says(text);
    assert_ptr_equal(strchr(child.err, '\n'), child.err + strlen(child.err) - 1);
    assert_string_equal(child.out, "");
    assert_int_equal(child.exit_status, 2);
}

#endif
