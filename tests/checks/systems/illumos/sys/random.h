/* getrandom(2) and getentropy(3C) of illumos. */
#pragma GCC system_header
#include <sys/types.h>
ssize_t getrandom(void *memory, size_t size, unsigned flags);
int getentropy(void *memory, size_t size);
