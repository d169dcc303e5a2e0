package tidepool.cli;

import java.io.PrintWriter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Locale;
import tidepool.base.Words;

/** A printed range of memory: offset, two 64-bit words as numbers, and the bytes as text. */
record HexDump(long offset, long length) {
    private static final long LINE = 16;
    private static final long DEFAULT_LENGTH = 256;

    /** Parses {@code OFFSET} or {@code OFFSET:LENGTH}, decimal or 0x hex, in whole words. */
    static HexDump parse(String text) {
        String[] parts = text.split(":", -1);
        try {
            if (parts.length <= 2) {
                long offset = number(parts[0]);
                long length = parts.length == 2 ? number(parts[1]) : DEFAULT_LENGTH;
                if (offset >= 0 && length > 0 && Words.isAligned(offset | length)) return new HexDump(offset, length);
            }
        } catch (NumberFormatException e) {
            // falls through to the exception below, which covers both
        }
        throw new IllegalArgumentException(
                "--hex takes OFFSET or OFFSET:LENGTH in multiples of 8, such as 4096 or 0x1000:64, not '" + text + "'");
    }

    /** Prints the range. Repeated equal lines are left out, as by hexdump(1). */
    void print(PrintWriter out, MemorySegment data) {
        if (offset >= data.byteSize())
            throw new UserError("--hex begins behind the end: offset=" + offset + " bytes=" + data.byteSize());
        long end = Math.min(offset + length, data.byteSize() & -Words.BYTES);
        String before = "";
        boolean skipped = false;
        for (long at = offset; at < end; at += LINE) {
            String line = line(data, at, end);
            boolean last = at + LINE >= end;
            if (line.equals(before) && !last) {
                if (!skipped) out.println("*");
                skipped = true;
                continue;
            }
            skipped = false;
            before = line;
            out.printf(Locale.ROOT, "%10x  %s%n", at, line);
        }
    }

    private static String line(MemorySegment data, long at, long end) {
        StringBuilder words = new StringBuilder();
        StringBuilder text = new StringBuilder();
        for (long word = at; word < at + LINE && word < end; word += Words.BYTES) {
            words.append(String.format(Locale.ROOT, "%016x ", Words.opaque(data, word)));
            for (long i = word; i < word + Words.BYTES; i++) {
                byte letter = data.get(ValueLayout.JAVA_BYTE, i);
                text.append(letter >= ' ' && letter < 127 ? (char) letter : '.');
            }
        }
        return String.format(Locale.ROOT, "%-34s |%s|", words, text);
    }

    private static long number(String text) {
        return text.startsWith("0x") ? Long.parseLong(text.substring(2), 16) : Long.parseLong(text);
    }
}
