package tidepool.fuzz;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.base.Randomness;
import tidepool.testkit.Effort;

/** Every input of the corpus still does no harm, nor do some thousand mutations of it. */
class CorpusTest {
    private static final int RELATIVES = Effort.of(4_000, 20_000, 1_000_000);

    /** The planted bug needs fewer inputs than this; a quick run would stop before it. */
    private static final int MAX_INPUTS = 20_000;

    private static final long SEED = 6;

    static List<String> targets() {
        return FuzzTargets.names();
    }

    @ParameterizedTest
    @MethodSource("targets")
    void theCorpusAndItsRelativesDoNoHarm(String name) throws IOException {
        FuzzTarget target = FuzzTargets.make(name);
        List<byte[]> corpus = corpus(name);
        assertFalse(corpus.isEmpty());
        for (byte[] input : corpus) target.feed(input);
        Mutator mutator = new Mutator(corpus, new Randomness(SEED).fork(name));
        for (int i = 0; i < RELATIVES; i++) {
            byte[] input = mutator.next();
            try {
                target.feed(input.clone());
            } catch (RuntimeException | Error e) {
                Path kept = Files.createTempFile("finding-" + name + "-", "");
                Files.write(kept, input);
                throw new AssertionError("target " + name + ", seed " + SEED + ", input " + i + ", kept in " + kept, e);
            }
        }
    }

    /** The short run can fail: it finds a parser that trusts a length in its input. */
    @Test
    void aPlantedBugIsFound() {
        FuzzTarget believes = input -> {
            Bytes bytes = new Bytes(input);
            int length = bytes.u16();
            byte[] copy = new byte[16];
            for (int i = 0; i < length; i++) copy[i] = (byte) bytes.u8();
        };
        Mutator mutator = new Mutator(List.of(new byte[] {4, 0, 1, 2, 3, 4}), new Randomness(SEED));

        assertThrows(ArrayIndexOutOfBoundsException.class, () -> {
            for (int i = 0; i < MAX_INPUTS; i++) believes.feed(mutator.next());
        });
    }

    private static List<byte[]> corpus(String name) throws IOException {
        List<byte[]> inputs = new ArrayList<>();
        try (Stream<Path> files = Files.list(Path.of("corpus", name))) {
            for (Path file : files.sorted().toList()) inputs.add(Files.readAllBytes(file));
        }
        return inputs;
    }
}
