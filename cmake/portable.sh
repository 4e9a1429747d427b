#!/bin/sh
# gridcast from its own folder, with its own loader and libraries. Only the
# shell is needed, and readlink if this script is called through a link.
self=$0
case $self in
  */*) ;;
  *) self=$(command -v -- "$self") ;;
esac
while [ -h "$self" ]; do
  to=$(readlink "$self")
  case $to in
    /*) self=$to ;;
    *) self=${self%/*}/$to ;;
  esac
done
here=$(cd "${self%/*}" && pwd -P) || exit 1
for loader in "$here"/lib/ld-linux*.so.*; do
  exec "$loader" --library-path "$here/lib" "$here/bin/gridcast" "$@"
done
