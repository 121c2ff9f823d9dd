#error "prctl(2) is Linux's"
