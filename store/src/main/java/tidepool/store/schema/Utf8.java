package tidepool.store.schema;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * UTF-8 (RFC 3629) without garbage: the encoders of the JDK allocate, and replace what they cannot encode instead of
 * refusing it.
 */
final class Utf8 {
    private Utf8() {}

    /**
     * How many bytes the text takes. Refuses half a surrogate pair, which has no UTF-8, and U+0000, which stands behind
     * the end of a stored string; the attribute is for the message.
     */
    static int length(String text, Attribute attribute) {
        int length = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0)
                throw new IllegalArgumentException("attribute '" + attribute.name() + "' cannot hold U+0000, found at "
                        + i + ": zero bytes mark the end of a stored string");
            if (Character.isSurrogate(c)) {
                if (!isPair(text, i))
                    throw new IllegalArgumentException(
                            "attribute '" + attribute.name() + "' cannot hold half a surrogate pair, found at " + i);
                i++;
                length += 4;
            } else {
                length += c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
            }
        }
        return length;
    }

    private static boolean isPair(String text, int i) {
        return i + 1 < text.length() && Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1));
    }

    /** Writes a text that {@link #length} has accepted; returns the offset behind it. */
    static long write(String text, MemorySegment memory, long offset) {
        long at = offset;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                put(memory, at++, c);
            } else if (c < 0x800) {
                put(memory, at++, 0xc0 | c >> 6);
                put(memory, at++, 0x80 | c & 0x3f);
            } else if (!Character.isSurrogate(c)) {
                put(memory, at++, 0xe0 | c >> 12);
                put(memory, at++, 0x80 | c >> 6 & 0x3f);
                put(memory, at++, 0x80 | c & 0x3f);
            } else {
                int point = Character.toCodePoint(c, text.charAt(++i));
                put(memory, at++, 0xf0 | point >> 18);
                put(memory, at++, 0x80 | point >> 12 & 0x3f);
                put(memory, at++, 0x80 | point >> 6 & 0x3f);
                put(memory, at++, 0x80 | point & 0x3f);
            }
        }
        return at;
    }

    private static void put(MemorySegment memory, long offset, int value) {
        memory.set(ValueLayout.JAVA_BYTE, offset, (byte) value);
    }

    /** True for whole, shortest-form UTF-8 without U+0000: exactly what {@link #write} can have written. */
    static boolean isStorable(byte[] bytes, int from, int length) {
        int end = from + length;
        int at = from;
        while (at < end) {
            int lead = bytes[at++] & 0xff;
            if (lead == 0) return false;
            if (lead < 0x80) continue;
            int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
            if (lead < 0xc0 || lead >= 0xf8 || end - at < more) return false;
            int point = lead & 0x3f >> more;
            for (int i = 0; i < more; i++) {
                int next = bytes[at++];
                if ((next & 0xc0) != 0x80) return false;
                point = point << 6 | next & 0x3f;
            }
            int least = more == 3 ? 0x10000 : more == 2 ? 0x800 : 0x80;
            if (point < least || point > Character.MAX_CODE_POINT || point >= 0xd800 && point <= 0xdfff) return false;
        }
        return true;
    }
}
