#!/bin/sh
# Checks MIDI input through the kernel's own sequencer, which machines that run tests seldom have: boots Debian's kernel
# with its virtual sound card in a small emulated guest and runs our test in it. About 40 s after the first download.
set -eu
cd "$(dirname "$0")/../.."
root=$PWD
work=$root/target/midi-kernel
test=kernel::midi_through_the_kernels_sequencer

stop() {
    echo "test-midi-kernel: $*" >&2
    exit 3
}

[ "$(uname -m)" = x86_64 ] || stop "the guest is made for x86_64, this is $(uname -m)"
command -v apt-get >/dev/null || stop "the guest is made of Debian packages, and there is no apt-get here"

missing=
command -v qemu-system-x86_64 >/dev/null || missing="$missing qemu-system-x86"
command -v cpio >/dev/null || missing="$missing cpio"
if [ -n "$missing" ]; then
    [ "$(id -u)" = 0 ] || stop "please install, to run the guest:$missing"
    echo "installing, to run the guest:$missing"
    apt-get install -y -q --no-install-recommends $missing >/dev/null
fi

# The kernel and a shell for the guest; nothing of it is installed here.
mkdir -p "$work/packages"
kernel=$(apt-cache depends linux-image-amd64 | sed -n 's/^ *Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
[ -n "$kernel" ] || stop "apt knows no package linux-image-amd64; run apt-get update (Debian only)"
if [ ! -e "$work/$kernel.done" ]; then
    (cd "$work/packages" && apt-get download -q "$kernel" busybox-static)
    rm -rf "$work/system"
    for package in "$work/packages/${kernel}"_*.deb "$work/packages"/busybox-static_*.deb; do
        dpkg -x "$package" "$work/system"
    done
    touch "$work/$kernel.done"
fi
vmlinuz=$(find "$work/system/boot" -name 'vmlinuz-*' | head -n 1)
modules=$(find "$work/system" -path '*/kernel/sound' -type d | head -n 1)

# Cargo says where it put the test program.
cargo test --test devices --no-run 2>"$work/build" || { cat "$work/build" >&2; stop "the test program could not be built"; }
program=$(sed -n 's/.*Executable.*(\(.*\))$/\1/p' "$work/build")

guest=$work/guest
rm -rf "$guest"
mkdir -p "$guest/bin" "$guest/modules" "$guest/proc" "$guest/sys" "$guest/dev" "$guest/tmp"
cp "$(find "$work/system" -name busybox -type f -perm -u+x | head -n 1)" "$guest/bin/busybox"
cp "$program" "$guest/devices"
ldd "$program" | grep -o '/[^ ]*' | while read -r library; do
    cp -L --parents "$library" "$guest"
done
cp -r --parents /usr/share/alsa "$guest"

order="soundcore snd snd-timer snd-hrtimer snd-pcm snd-seq-device snd-rawmidi snd-seq snd-seq-midi-event snd-seq-midi snd-seq-dummy snd-seq-virmidi snd-virmidi"
for module in $order; do
    file=$(find "$modules" -name "$module.ko*" | head -n 1)
    case $file in
        *.xz) xz -dc "$file" >"$guest/modules/$module.ko" ;;
        *.ko) cp "$file" "$guest/modules/$module.ko" ;;
        *) echo "no module $module; perhaps it is built into this kernel" ;;
    esac
done

cat >"$guest/init" <<END
#!/bin/busybox sh
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t sysfs sys /sys
/bin/busybox mount -t devtmpfs dev /dev
for module in $order; do
    [ ! -e /modules/\$module.ko ] || /bin/busybox insmod /modules/\$module.ko
done
/devices --exact $test --ignored --nocapture
echo "guest: the test ended with \$?"
/bin/busybox poweroff -f
END
chmod +x "$guest/init"
(cd "$guest" && find . | cpio -o -H newc --quiet | gzip -1) >"$work/guest.gz"

echo "booting the guest"
timeout 300 qemu-system-x86_64 -accel tcg,thread=multi -cpu max -m 1024 -smp 2 \
    -kernel "$vmlinuz" -initrd "$work/guest.gz" -append "console=ttyS0 quiet panic=-1" \
    -nographic -no-reboot </dev/null | tee "$work/log" || true

if ! grep -q 'test result: ok. 1 passed' "$work/log" || ! grep -q 'guest: the test ended with 0' "$work/log"; then
    echo "test-midi-kernel: FAILED, the guest's output is in $work/log" >&2
    exit 1
fi
echo "test-midi-kernel: ok"
