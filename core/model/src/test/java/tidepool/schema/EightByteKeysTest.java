package tidepool.schema;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static tidepool.schema.Refusals.refused;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import tidepool.base.Randomness;

class EightByteKeysTest {
    private static final KeyPacker ORDER =
            EightByteKeys.packer().bits("warehouse", 16).bits("district", 8).bits("order", 40);

    @Test
    void twoIntsComeBack() {
        int[] numbers = {0, -1, 1, Integer.MIN_VALUE, Integer.MAX_VALUE, 0x12345678};
        Set<Long> keys = new HashSet<>();
        for (int high : numbers) {
            for (int low : numbers) {
                long key = EightByteKeys.pack(high, low);
                keys.add(key);
                assertEquals(high, EightByteKeys.high(key));
                assertEquals(low, EightByteKeys.low(key));
            }
        }
        assertEquals(36, keys.size());
        assertEquals(0x00000001_ffffffffL, EightByteKeys.pack(1, -1));
    }

    @Test
    void partsLieFromTheUppermostBitDown() {
        long key = ORDER.pack(0x1234, 0x56, 0x789abcdef0L);

        assertEquals(0x123456789abcdef0L, key);
        assertEquals(0x1234, ORDER.part("warehouse").of(key));
        assertEquals(0x56, ORDER.part("district").of(key));
        assertEquals(0x789abcdef0L, ORDER.part("order").of(key));
        assertArrayEquals(new long[] {0x1234, 0x56, 0x789abcdef0L}, ORDER.unpack(key));
        assertEquals(0x123499789abcdef0L, ORDER.part("district").with(key, 0x99));
        assertEquals("key(warehouse:16, district:8, order:40)", ORDER.toString());
    }

    @Test
    void partsTakeTheirWholeRangeAndNothingBeyond() {
        assertEquals(0, ORDER.pack(0, 0, 0));
        assertEquals(-1, ORDER.pack(0xffff, 0xff, (1L << 40) - 1));
        refused(() -> ORDER.pack(0x10000, 0, 0), "'warehouse'", "0 to 65535", "not 65536");
        refused(() -> ORDER.pack(0, 256, 0), "'district'", "0 to 255", "not 256");
        refused(() -> ORDER.pack(0, 0, -1), "'order'", "0 to 1099511627775", "not -1");
        refused(() -> ORDER.part("district").with(0, -1), "'district'", "not -1");
    }

    /** A part of 64 bits: in Java a shift by 64 is a shift by 0, a common mistake. */
    @Test
    void onePartMayTakeTheWholeKey() {
        KeyPacker whole = EightByteKeys.packer().bits("id", 64);
        for (long id : new long[] {0, -1, 1, Long.MIN_VALUE, Long.MAX_VALUE}) {
            assertEquals(id, whole.pack(id));
            assertEquals(id, whole.part("id").of(id));
            assertEquals(id, whole.part("id").with(~id, id));
        }
        KeyPacker one = EightByteKeys.packer().bits("flag", 1).bits("rest", 63);

        assertEquals(Long.MIN_VALUE, one.pack(1, 0));
        refused(() -> one.pack(0, -1), "'rest'", "9223372036854775807");
        refused(() -> one.pack(2, 0), "'flag'", "0 to 1,");
    }

    /** A tree sorts keys as unsigned numbers; then a range of orders of one district is a range of keys. */
    @Test
    void keysSortLikeTheirParts() {
        Randomness random = new Randomness(5);
        List<long[]> all = new ArrayList<>();
        for (int i = 0; i < 500; i++)
            all.add(new long[] {random.nextLong(3) * 0x7fff, random.nextLong(256), random.nextLong(1L << 40)});
        for (long[] a : all)
            for (long[] b : all)
                assertEquals(
                        Integer.signum(java.util.Arrays.compare(a, b)),
                        Integer.signum(Long.compareUnsigned(ORDER.pack(a), ORDER.pack(b))));
    }

    @Test
    void randomPackersComeBack() {
        for (long seed = 0; seed < 2000; seed++) {
            Randomness random = new Randomness(seed);
            KeyPacker packer = EightByteKeys.packer();
            List<Long> values = new ArrayList<>();
            for (int left = 64; left > 0 && values.size() < 7; ) {
                int bits = 1 + random.nextInt(left);
                left -= bits;
                packer = packer.bits("p" + values.size(), bits);
                values.add(random.pick(List.of(0L, -1L, random.nextLong())) & -1L >>> 64 - bits);
            }
            long[] parts = values.stream().mapToLong(Long::longValue).toArray();

            assertArrayEquals(parts, packer.unpack(packer.pack(parts)), "seed " + seed);
        }
    }

    @Test
    void overloadsAgreeWithTheArray() {
        KeyPacker four =
                EightByteKeys.packer().bits("a", 3).bits("b", 5).bits("c", 7).bits("d", 11);

        assertEquals(four.pack(new long[] {1, 2, 3, 4}), four.pack(1, 2, 3, 4));
        assertEquals(ORDER.pack(new long[] {1, 2, 3}), ORDER.pack(1, 2, 3));
        assertEquals(5, EightByteKeys.packer().bits("a", 3).pack(5));
        assertEquals(
                0b101_00001, EightByteKeys.packer().bits("a", 3).bits("b", 5).pack(5, 1));
    }

    @Test
    void packersThatCannotBeAreRefused() {
        refused(() -> EightByteKeys.packer().bits("a", 0), "'a'", "0 bits");
        refused(() -> EightByteKeys.packer().bits("a", 65), "'a'", "65 bits", "64");
        refused(() -> EightByteKeys.packer().bits("a", -3), "'a'");
        refused(() -> EightByteKeys.packer().bits("a", Integer.MAX_VALUE), "'a'");
        refused(() -> ORDER.bits("line", 1), "'warehouse'", "64 bits");
        refused(() -> EightByteKeys.packer().bits("a", 3).bits("a", 4), "'a'", "twice");
        refused(() -> EightByteKeys.packer().bits(null, 3), "name");
        refused(() -> EightByteKeys.packer().pack(), "0 parts");
        refused(() -> ORDER.pack(1, 2), "2 values", "3 parts", "district");
        refused(() -> ORDER.pack(1, 2, 3, 4), "4 values");
        refused(() -> ORDER.part("line"), "'line'", "warehouse:16");
    }

    @Test
    void packingAllocatesNothing() {
        long[] sum = new long[1];
        KeyPacker.Part district = ORDER.part("district");

        AllocatedBytes.none(
                () -> sum[0] += district.of(ORDER.pack(sum[0] & 0xffff, 7, 9)) + EightByteKeys.hash(sum[0]));
    }

    /** Records lie where their hash says. With another hash no record would be found. */
    @Test
    void hashIsTheStoredOne() {
        assertEquals(0xb70fb2cc55af013fL, EightByteKeys.hash(0));
        assertEquals(0x087164d5c9e6ae5eL, EightByteKeys.hash(-1));
        assertEquals(0x0806e4d3d6933c2cL, EightByteKeys.hash(7, 1));
        assertEquals(EightByteKeys.hash(7), EightByteKeys.hash(7, 0));
        assertNotEquals(EightByteKeys.hash(7), EightByteKeys.hash(7, 1));
    }

    /** A flipped bit of the key flips each bit of the hash in about half of all cases, whichever bits they are. */
    @Test
    void everyBitOfTheKeyReachesEveryBitOfTheHash() {
        int rounds = 4000;
        int[][] flips = new int[64][64];
        Randomness random = new Randomness(3);
        for (int round = 0; round < rounds; round++) {
            long key = round % 2 == 0 ? random.nextLong() : round; // small keys as well: those are the usual ones
            for (int in = 0; in < 64; in++) {
                long changed = EightByteKeys.hash(key) ^ EightByteKeys.hash(key ^ 1L << in);
                for (int out = 0; out < 64; out++) flips[in][out] += (int) (changed >>> out & 1);
            }
        }
        for (int in = 0; in < 64; in++)
            for (int out = 0; out < 64; out++)
                assertEquals(0.5, (double) flips[in][out] / rounds, 0.07, "bit " + in + " to bit " + out);
    }

    /** Keys as tables have them; buckets from the lower bits, partitions from the upper ones. */
    @Test
    void usualKeysSpreadEvenly() {
        List<LongUnaryOperator> patterns = List.of(
                i -> i,
                i -> -i,
                i -> i * 8,
                i -> i << 32,
                i -> i << 48 | i >>> 8,
                i -> EightByteKeys.pack((int) i & 0xff, (int) i >> 8),
                i -> ORDER.pack(i & 0x3f, i >> 6 & 7, i >> 9));
        for (int pattern = 0; pattern < patterns.size(); pattern++) {
            int[] lower = new int[1024];
            int[] upper = new int[1024];
            int[] both = new int[1024];
            for (int i = 0; i < 1 << 16; i++) {
                long hash = EightByteKeys.hash(patterns.get(pattern).applyAsLong(i));
                lower[(int) hash & 1023]++;
                upper[(int) (hash >>> 54)]++;
                both[(int) (hash >>> 59 << 5 | hash & 31)]++;
            }
            assertEven(lower, "lower bits of pattern " + pattern);
            assertEven(upper, "upper bits of pattern " + pattern);
            assertEven(both, "both ends of pattern " + pattern);
        }
    }

    /**
     * 64 are expected in each of 1024. Chi-square then has mean 1023 and deviation 45; six deviations are not by
     * chance.
     */
    private static void assertEven(int[] counts, String what) {
        double chiSquare = 0;
        for (int count : counts) chiSquare += (count - 64.0) * (count - 64.0) / 64;
        assertTrue(chiSquare > 1023 - 270 && chiSquare < 1023 + 270, what + ": chi-square " + chiSquare);
    }

    /** An index with two candidate buckets gains nothing if keys that share the first share the second too. */
    @Test
    void secondHashIsIndependentOfTheFirst() {
        int[] pairs = new int[1024];
        for (int key = 0; key < 1 << 16; key++)
            pairs[(int) ((EightByteKeys.hash(key, 0) & 31) << 5 | EightByteKeys.hash(key, 1) & 31)]++;
        assertEven(pairs, "pairs of buckets");
    }
}
