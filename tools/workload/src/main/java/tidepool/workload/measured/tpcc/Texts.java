package tidepool.workload.measured.tpcc;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import tidepool.base.Randomness;
import tidepool.schema.Field;

/** The texts of the initial rows (clause 4.3.2), written in place. */
final class Texts {
    private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    private static final String DIGITS = "0123456789";
    private static final String ORIGINAL = "ORIGINAL";
    private static final List<String> SYLLABLES =
            List.of("BAR", "OUGHT", "ABLE", "PRI", "PRES", "ESE", "ANTI", "CALLY", "ATION", "EING");

    private Texts() {}

    /** Writes a random text of letters and digits. Returns its length. */
    static int letters(Randomness random, MemorySegment memory, long row, Field field, int min, int max) {
        return fill(LETTERS, random, memory, row + field.attribute().offset(), min, max);
    }

    /** Writes a random text of digits. */
    static void digits(Randomness random, MemorySegment memory, long row, Field field, int length) {
        fill(DIGITS, random, memory, row + field.attribute().offset(), length, length);
    }

    /** Writes letters. One of ten texts contains the word ORIGINAL at a random place (clause 4.3.3.1). */
    static void data(Randomness random, MemorySegment memory, long row, Field field) {
        int length = letters(random, memory, row, field, 26, ItemTables.DATA_BYTES);
        if (!random.chance(1, 10)) return;
        long at = row + field.attribute().offset() + random.nextInt(length - ORIGINAL.length() + 1);
        for (int i = 0; i < ORIGINAL.length(); i++) put(memory, at + i, ORIGINAL.charAt(i));
    }

    /** Writes a zip code: four digits and 11111 (clause 4.3.2.7). */
    static void zip(Randomness random, MemorySegment memory, long row, Field field) {
        digits(random, memory, row, field, 4);
        for (int i = 4; i < 9; i++) put(memory, row + field.attribute().offset() + i, '1');
    }

    /** Returns a last name by its number: a syllable for each of its three digits (clause 4.3.2.3). */
    static String lastName(int number) {
        return SYLLABLES.get(number / 100) + SYLLABLES.get(number / 10 % 10) + SYLLABLES.get(number % 10);
    }

    /** Returns the bytes of a last name as a row has them, filled up with zeros. */
    static byte[] lastNameBytes(int number) {
        return Arrays.copyOf(lastName(number).getBytes(StandardCharsets.US_ASCII), CustomerTables.NAME_BYTES);
    }

    private static int fill(String alphabet, Randomness random, MemorySegment memory, long at, int min, int max) {
        int length = min + random.nextInt(max - min + 1);
        for (int i = 0; i < length; i++) put(memory, at + i, alphabet.charAt(random.nextInt(alphabet.length())));
        return length;
    }

    private static void put(MemorySegment memory, long at, char letter) {
        memory.set(ValueLayout.JAVA_BYTE, at, (byte) letter);
    }
}
