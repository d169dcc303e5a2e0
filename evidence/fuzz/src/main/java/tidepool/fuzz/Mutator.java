package tidepool.fuzz;

import java.util.Arrays;
import java.util.List;
import tidepool.base.Randomness;

/**
 * Changes inputs a little, by a seed, for the short run among the tests, which has to be equal on every machine.
 * Jazzer, which measures the code that an input reaches, does the long runs.
 */
final class Mutator {
    private static final long[] EDGES = {
        0,
        1,
        -1,
        7,
        8,
        9,
        0x7f,
        0x80,
        0xff,
        0x100,
        0x7fff,
        0x8000,
        0xffff,
        0x10000,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        0xffff_ffffL,
        0x1_0000_0000L,
        Long.MAX_VALUE,
        Long.MIN_VALUE
    };

    private final List<byte[]> corpus;
    private final Randomness random;

    Mutator(List<byte[]> corpus, Randomness random) {
        this.corpus = corpus;
        this.random = random;
    }

    byte[] next() {
        byte[] input = random.pick(corpus).clone();
        for (int i = 1 + random.nextInt(4); i > 0; i--) input = changed(input);
        return input;
    }

    private byte[] changed(byte[] input) {
        int at = input.length == 0 ? 0 : random.nextInt(input.length);
        int length = input.length == 0 ? 0 : 1 + random.nextInt(Math.min(16, input.length - at));
        switch (random.nextInt(7)) {
            case 0 -> { // one bit
                if (input.length > 0) input[at] ^= (byte) (1 << random.nextInt(8));
                return input;
            }
            case 1 -> { // one byte
                if (input.length > 0) input[at] = (byte) random.nextInt(256);
                return input;
            }
            case 2 -> { // a boundary number, of any width
                long edge = EDGES[random.nextInt(EDGES.length)];
                for (int i = at; i < Math.min(input.length, at + (1 << random.nextInt(4))); i++, edge >>= 8)
                    input[i] = (byte) edge;
                return input;
            }
            case 3 -> { // truncated
                return Arrays.copyOf(input, at);
            }
            case 4 -> { // a part removed
                byte[] shorter = Arrays.copyOf(input, input.length - length);
                System.arraycopy(input, at + length, shorter, at, shorter.length - at);
                return shorter;
            }
            case 5 -> { // a part repeated
                byte[] longer = Arrays.copyOf(input, input.length + length);
                System.arraycopy(input, at, longer, at + length, input.length - at);
                return longer;
            }
            default -> { // the end of another input
                byte[] other = random.pick(corpus);
                int from = other.length == 0 ? 0 : random.nextInt(other.length);
                byte[] joined = Arrays.copyOf(input, at + other.length - from);
                System.arraycopy(other, from, joined, at, other.length - from);
                return joined;
            }
        }
    }
}
