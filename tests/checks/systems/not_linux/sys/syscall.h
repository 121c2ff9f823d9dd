#error "SYS_getrandom and SYS_gettid are Linux's: syscalls(2)"
