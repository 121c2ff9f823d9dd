#error "OpenBSD declares getentropy(2) in unistd.h, and has no getrandom"
