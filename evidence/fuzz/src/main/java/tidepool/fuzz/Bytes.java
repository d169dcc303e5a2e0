package tidepool.fuzz;

/** Reads numbers from an input, front to back; zeros after its end. */
final class Bytes {
    private final byte[] bytes;
    private int at;

    Bytes(byte[] bytes) {
        this.bytes = bytes;
    }

    boolean hasMore() {
        return at < bytes.length;
    }

    int left() {
        return Math.max(0, bytes.length - at);
    }

    int u8() {
        return at < bytes.length ? bytes[at++] & 0xff : 0;
    }

    int u16() {
        return u8() | u8() << 8;
    }

    long u64() {
        long word = 0;
        for (int i = 0; i < Long.BYTES; i++) word |= (long) u8() << 8 * i;
        return word;
    }

    byte[] rest() {
        byte[] rest = new byte[left()];
        System.arraycopy(bytes, at, rest, 0, rest.length);
        at = bytes.length;
        return rest;
    }
}
