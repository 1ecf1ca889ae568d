#!/bin/sh
# namespaces.sh PROGRAM ARGUMENTS…: a program of two MPI processes over TCP between two network namespaces of this host;
# the conformance suite, or a bench.
#
# Needs root and the right to make namespaces (ip netns); says so and exits with 77 (skipped) otherwise. Open MPI only:
# its launcher starts one process in each namespace by way of a script that stands in for ssh.
set -eu
program=$(realpath "$1")
shift
skip() { echo "skipped: $*" && exit 77; }
[ "$(id -u)" = 0 ] || skip "needs root"
command -v ip >/dev/null || skip "needs ip (iproute2)"
mpirun --version 2>/dev/null | grep -q "Open MPI" || skip "needs Open MPI's mpirun"

a=gossamer-$$-a
b=gossamer-$$-b
folder=$(mktemp -d)
# shellcheck disable=SC2329  # by the trap
clean() {
  ip netns del "$a" 2>/dev/null || true
  ip netns del "$b" 2>/dev/null || true
  rm -rf "$folder"
}
trap clean EXIT
ip netns add $a 2>/dev/null || skip "namespaces are not allowed here"
ip netns add $b
ip link add gsm-a-$$ type veth peer name gsm-b-$$ 2>/dev/null || skip "no veth devices here"
ip link set gsm-a-$$ netns $a
ip link set gsm-b-$$ netns $b
ip -n $a addr add 10.213.7.1/24 dev gsm-a-$$
ip -n $b addr add 10.213.7.2/24 dev gsm-b-$$
for side in $a $b; do
  ip -n "$side" link set lo up
done
ip -n $a link set gsm-a-$$ up
ip -n $b link set gsm-b-$$ up

# mpirun calls this as `agent HOST COMMAND…`; the only other host is the second namespace.
cat >"$folder/agent" <<TEXT
#!/bin/sh
shift
exec ip netns exec $b /bin/sh -c "\$*"
TEXT
chmod +x "$folder/agent"
status=0
ip netns exec $a env GOSSAMER_MPI_SHARED=off timeout 250 mpirun --allow-run-as-root --bind-to none \
  --mca plm_rsh_agent "$folder/agent" --mca plm_rsh_no_tree_spawn 1 --mca btl tcp,self \
  --mca btl_tcp_if_include 10.213.7.0/24 --mca oob_tcp_if_include 10.213.7.0/24 \
  --host 10.213.7.1:1,10.213.7.2:1 -n 2 -x GOSSAMER_MPI_SHARED "$program" "$@" || status=$?
exit $status
