/**
 * Libraries that the PostgreSQL packages bring beside PostgreSQL itself, on Linux, macOS and Windows. The packages name
 * none of them, so they are told by the name of their file.
 */
export const nativeLibraries = [
  {
    name: 'PostgreSQL',
    files: /^(libpq|libpq-oauth-\d+|libpqwalreceiver|libecpg|libecpg_compat|libpgtypes)$/,
    licence: 'PostgreSQL',
    copyright:
      'Portions Copyright (c) 1996-2026, PostgreSQL Global Development Group\nPortions Copyright (c) 1994, The Regents of the University of California',
    source: 'https://www.postgresql.org/ftp/source/',
  },
  {
    name: 'OpenSSL 1.1.1',
    files: /^lib(crypto|ssl)\.so\.1\.1$/,
    licence: 'OpenSSL',
    copyright:
      'Copyright (c) 1998-2023 The OpenSSL Project. All rights reserved.\nCopyright (C) 1995-1998 Eric Young (eay@cryptsoft.com). All rights reserved.',
    source: 'https://github.com/openssl/openssl',
  },
  {
    name: 'OpenSSL 3',
    files: /^lib(crypto|ssl)[.-]3/,
    licence: 'Apache-2.0',
    copyright: 'Copyright (c) 1998-2026 The OpenSSL Project Authors. All rights reserved.',
    source: 'https://github.com/openssl/openssl',
  },
  {
    name: 'ICU',
    files: /^(libicu(data|i18n|uc)|icu(dt|in|io|tu|uc)\d+)$/,
    licence: 'ICU',
    copyright: 'Copyright (c) 1991-2026 Unicode, Inc. and others. All rights reserved.',
    source: 'https://github.com/unicode-org/icu',
  },
  {
    name: 'XZ Utils (liblzma)',
    files: /^liblzma$/,
    licence: 'public domain',
    copyright: 'liblzma is in the public domain.',
    source: 'https://github.com/tukaani-project/xz',
  },
  {
    name: 'OSSP uuid',
    files: /^libossp-uuid$/,
    licence: 'OSSP',
    copyright: 'Copyright (c) 2004-2008 Ralf S. Engelschall\nCopyright (c) 2004-2008 The OSSP Project',
    source: 'http://www.ossp.org/pkg/lib/uuid/',
  },
  {
    name: 'libuuid (e2fsprogs)',
    files: /^libuuid$/,
    licence: 'BSD-3-Clause',
    copyright: "Copyright (C) 1996-1999, 2007 Theodore Ts'o.",
    source: 'https://git.kernel.org/pub/scm/fs/ext2/e2fsprogs.git',
  },
  {
    name: 'libxml2',
    files: /^libxml2$/,
    licence: 'MIT',
    copyright: 'Copyright (C) 1998-2012 Daniel Veillard. All Rights Reserved.',
    source: 'https://gitlab.gnome.org/GNOME/libxml2',
  },
  {
    name: 'libxslt',
    files: /^libxslt$/,
    licence: 'MIT',
    copyright: 'Copyright (C) 2001-2002 Daniel Veillard. All Rights Reserved.',
    source: 'https://gitlab.gnome.org/GNOME/libxslt',
  },
  {
    name: 'zlib',
    files: /^(libz|zlib1)$/,
    licence: 'Zlib',
    copyright: 'Copyright (C) 1995-2026 Jean-loup Gailly and Mark Adler',
    source: 'https://github.com/madler/zlib',
  },
  {
    name: 'LZ4',
    files: /^liblz4$/,
    licence: 'BSD-2-Clause',
    copyright: 'Copyright (c) 2011-2020, Yann Collet. All rights reserved.',
    source: 'https://github.com/lz4/lz4',
  },
  {
    name: 'Zstandard',
    files: /^libzstd$/,
    licence: 'BSD-3-Clause',
    copyright: 'Copyright (c) Meta Platforms, Inc. and affiliates. All rights reserved.',
    source: 'https://github.com/facebook/zstd',
  },
  {
    name: 'MIT Kerberos',
    files: /^lib(com_err|gssapi_krb5|k5crypto|krb5|krb5support)$/,
    licence: 'BSD-2-Clause',
    copyright: 'Copyright (C) 1985-2026 by the Massachusetts Institute of Technology. All rights reserved.',
    source: 'https://github.com/krb5/krb5',
  },
  {
    name: 'Editline (libedit)',
    files: /^libedit$/,
    licence: 'BSD-3-Clause',
    copyright: 'Copyright (c) 1992, 1993 The Regents of the University of California. All rights reserved.',
    source: 'https://www.thrysoee.dk/editline/',
  },
  {
    name: 'curl',
    files: /^libcurl$/,
    licence: 'curl',
    copyright: 'Copyright (c) 1996-2026, Daniel Stenberg, and many contributors. All rights reserved.',
    source: 'https://github.com/curl/curl',
  },
  {
    name: 'winpthreads (mingw-w64)',
    files: /^libwinpthread-1$/,
    licence: 'MIT',
    copyright: 'Copyright (c) 2011 mingw-w64 project',
    source: 'https://github.com/mingw-w64/mingw-w64',
  },
  {
    name: 'wxWidgets',
    files: /^wx(base|msw)\d+/,
    licence: 'LGPL-2.1',
    copyright:
      'Copyright (c) 1998-2026 Julian Smart, Robert Roebling et al. wxWindows Library Licence: LGPL, with the exception that works\nlinked with the library may be distributed under terms of their own.',
    source: 'https://github.com/wxWidgets/wxWidgets',
  },
  {
    name: 'GNU libiconv',
    files: /^libiconv(-2)?$/,
    licence: 'LGPL-2.1',
    copyright: 'Copyright (C) 1999-2026 Free Software Foundation, Inc.',
    source: 'https://ftp.gnu.org/gnu/libiconv/',
  },
  {
    name: 'GNU gettext (libintl)',
    files: /^libintl(-\d+)?$/,
    licence: 'LGPL-2.1',
    copyright: 'Copyright (C) 1995-2026 Free Software Foundation, Inc.',
    source: 'https://ftp.gnu.org/gnu/gettext/',
  },
]
