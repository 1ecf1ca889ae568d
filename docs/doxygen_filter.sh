#!/bin/sh
# What Doxygen reads in place of a header: the same with all that it declares in a group of its own,
# by which the site's pages ask for it (docs/cpp_reference.py).
group=$(echo "${1##*include/gossamer/}" | tr '/.' '__')
sed -e "s,^namespace gossamer.* {\$,&\n/** @addtogroup $group\n @{ */," \
  -e 's,^}  // namespace gossamer.*,/** @} */\n&,' "$1"
