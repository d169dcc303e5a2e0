package tidepool.schema;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * UTF-8 (RFC 3629) without allocation. The encoders of the JDK allocate, and replace characters that they cannot encode
 * instead of refusing them. Most text is ASCII, so runs of it are handled eight bytes at a time.
 */
final class Utf8 {
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle WORD_OF_ARRAY =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;

    private Utf8() {}

    /**
     * Returns how many bytes the text takes. Refuses half a surrogate pair, which has no UTF-8, and U+0000, which
     * follows the end of a stored string; the attribute is for the message.
     */
    static int length(String text, Attribute attribute) {
        return length(text, attribute.name(), false);
    }

    /** Returns how many bytes the text takes. Refuses half a surrogate pair, and U+0000 unless it may occur. */
    static int length(String text, String attribute, boolean zeros) {
        int length = text.length(); // of ASCII; other characters take more
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                if (c == 0 && !zeros) throw zeroAt(i, attribute);
            } else if (!Character.isSurrogate(c)) {
                length += c < 0x800 ? 1 : 2;
            } else {
                if (!isPair(text, i)) throw halfAt(i, attribute);
                i++;
                length += 2; // four bytes for two characters
            }
        }
        return length;
    }

    private static IllegalArgumentException zeroAt(int i, String attribute) {
        return new IllegalArgumentException("attribute '" + attribute + "' cannot hold U+0000, found at " + i
                + ": zero bytes mark the end of a stored string");
    }

    private static IllegalArgumentException halfAt(int i, String attribute) {
        return new IllegalArgumentException(
                "attribute '" + attribute + "' cannot hold half a surrogate pair, found at " + i);
    }

    private static boolean isPair(String text, int i) {
        return i + 1 < text.length() && Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1));
    }

    /** Writes a text that {@link #length} has accepted; returns the offset after it. */
    static long write(String text, MemorySegment memory, long offset) {
        int ascii = writeAscii(text, memory, offset);
        long at = offset + ascii;
        for (int i = ascii; i < text.length(); i++) {
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

    /** Writes the whole words of ASCII with which the text begins; returns how many characters they are. */
    private static int writeAscii(String text, MemorySegment memory, long offset) {
        int done = 0;
        while (done + 8 <= text.length()) {
            long word = 0;
            int seen = 0;
            for (int i = 0; i < 8; i++) {
                char c = text.charAt(done + i);
                seen |= c;
                word |= (long) c << 8 * i;
            }
            if (seen >= 0x80) break;
            memory.set(WORD, offset + done, word);
            done += 8;
        }
        return done;
    }

    /** Writes zeros from one offset up to another. */
    static void fill(MemorySegment memory, long from, long end) {
        long at = from;
        for (; at + 8 <= end; at += 8) memory.set(WORD, at, 0);
        for (; at < end; at++) put(memory, at, 0);
    }

    private static void put(MemorySegment memory, long offset, int value) {
        memory.set(ValueLayout.JAVA_BYTE, offset, (byte) value);
    }

    /** Returns true for whole, shortest-form UTF-8 without U+0000: exactly what {@link #write} can have written. */
    static boolean isStorable(byte[] bytes, int from, int length) {
        return isStorable(bytes, from, length, false);
    }

    /** Returns true for whole, shortest-form UTF-8, with U+0000 if that may occur. */
    static boolean isStorable(byte[] bytes, int from, int length, boolean zeros) {
        int end = from + length;
        int at = from;
        while (at < end) {
            if (end - at >= 8 && isAsciiWithoutZero((long) WORD_OF_ARRAY.get(bytes, at))) {
                at += 8;
                continue;
            }
            int lead = bytes[at++] & 0xff;
            if (lead == 0 && !zeros) return false;
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

    /**
     * Returns whether all eight bytes are from 0x01 to 0x7f. Subtracting one from every byte sets the high bit of a
     * zero byte by a borrow; a byte from 0x80 on has it already.
     */
    private static boolean isAsciiWithoutZero(long word) {
        return ((word - ONES | word) & HIGH_BITS) == 0;
    }
}
