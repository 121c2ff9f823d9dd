/* The arithmetic of src/delay.c, against arithmetic wide enough to need no care. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "redial.h"

int main(void) { return 0; }
