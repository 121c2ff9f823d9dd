/* SPDX-License-Identifier: MIT */
/* The pages of Microsoft's C runtime library reference whose titles begin with these names, such as
   "memchr, wmemchr". */
#include <stddef.h>
void *__cdecl memchr(const void *memory, int byte, size_t size);
int __cdecl memcmp(const void *a, const void *b, size_t size);
void *__cdecl memcpy(void *to, const void *from, size_t size);
void *__cdecl memset(void *to, int byte, size_t size);
char *__cdecl strcat(char *to, const char *from);
char *__cdecl strchr(const char *text, int byte);
int __cdecl strcmp(const char *a, const char *b);
size_t __cdecl strcspn(const char *text, const char *bytes);
size_t __cdecl strlen(const char *text);
int __cdecl strncmp(const char *a, const char *b, size_t size);
char *__cdecl strpbrk(const char *text, const char *bytes);
size_t __cdecl strspn(const char *text, const char *bytes);
char *__cdecl strstr(const char *text, const char *part);
