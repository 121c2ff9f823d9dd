/* port_create(3C) of illumos: uv.h includes this header, and uses no function of it. */
