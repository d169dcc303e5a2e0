package tidepool.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Shows that the tests can fail. Each mutant is production code with one defect that x86 can show; a test has to find
 * it. Fences that x86 does not need (release, acquire) cannot be tested here: a mutant without them passes, see
 * docs/evidence/stress.md.
 */
@Tag("full")
@Tag("process")
class MutantTest {
    private static final int MILLIS = 200;
    private static final int ATTEMPTS = 20;

    /** Found in every run on a busy machine, and in few runs on an idle one. */
    private static final String RARE = "revocation without the barrier";

    private static final String DIRECT = "core/fabric/src/main/java/tidepool/fabric/direct/";
    private static final String FENCE = "if (storesPending && !isFence) fullFence();\n            if (code == READ)";
    private static final String MEMORY = "core/memory/src/main/java/tidepool/memory/";
    private static final String WORDS = "core/base/src/main/java/tidepool/base/Words.java";

    @TempDir
    Path folder;

    @ParameterizedTest(name = "{0}")
    @MethodSource("mutants")
    void isFound(SourceMutant mutant) throws Exception {
        mutant.into(folder);

        Subprocess run = Subprocess.stress(folder, MILLIS, ATTEMPTS, mutant.tests());

        System.out.println("mutant: " + mutant);
        if (mutant.name().equals(RARE))
            assumeTrue(
                    run.exit() == Subprocess.FORBIDDEN_SEEN,
                    mutant
                            + " was not met this time: its window is a store that is late,"
                            + " which a quiet machine hardly has");
        assertEquals(Subprocess.FORBIDDEN_SEEN, run.exit(), mutant + " was not found:\n" + run.output());
    }

    static Stream<SourceMutant> mutants() {
        return Stream.of(
                new SourceMutant(
                        "no fence between a WRITE and a READ of one round",
                        DIRECT + "DirectLane.java",
                        FENCE,
                        "if (storesPending && !isFence && code != READ) fullFence();\n            if (code == READ)",
                        "Dekker.WriteThenRead$"),
                new SourceMutant(
                        "no fence between a WRITE and an atomic of one round",
                        DIRECT + "DirectLane.java",
                        FENCE,
                        "if (storesPending && code == READ) fullFence();\n            if (code == READ)",
                        "Dekker.WriteThenMaskedCompareAndSwap"),
                new SourceMutant(
                        "no fence before a round is acknowledged",
                        DIRECT + "DirectLane.java",
                        "if (storesPending) fullFence();\n        } finally",
                        "} finally",
                        "Dekker.AwaitedThenReadOnSecondLane"),
                new SourceMutant(
                        "verbs of a round in reverse",
                        DIRECT + "DirectLane.java",
                        "round.verb(i);\n                int access",
                        "round.verb(count - 1 - i);\n                int access",
                        "MessagePassing.FourLines"),
                new SourceMutant(
                        "words move as two halves",
                        DIRECT + "DirectVerbs.java",
                        "if (length == Words.BYTES) Words.opaque(to, toOffset, Words.opaque(from, fromOffset));",
                        """
                        if (length == Words.BYTES) {
                            to.set(Words.U32, toOffset, from.get(Words.U32, fromOffset));
                            to.set(Words.U32, toOffset + 4, from.get(Words.U32, fromOffset + 4));
                        }
                        """,
                        "WholeWords.Of8"),
                new SourceMutant(
                        "long copies move bytes",
                        DIRECT + "DirectVerbs.java",
                        "MemorySegment.copy(from, fromOffset, to, toOffset, length);",
                        """
                        for (long i = 0; i < length; i++)
                            to.set(java.lang.foreign.ValueLayout.JAVA_BYTE, toOffset + i,
                                    from.get(java.lang.foreign.ValueLayout.JAVA_BYTE, fromOffset + i));
                        """,
                        "WholeWords.Of40"),
                new SourceMutant(
                        "CAS as READ, then WRITE",
                        WORDS,
                        "return (long) WORD.compareAndExchange(memory, offset, expected, desired);",
                        """
                        long found = volatileGet(memory, offset);
                        if (found == expected) volatileSet(memory, offset, desired);
                        return found;
                        """,
                        "AtomicWords.OneSwapWins"),
                new SourceMutant(
                        "masked CAS overwrites the other bits",
                        MEMORY + "Atomics.java",
                        "long now = Words.compareAndSwap(memory, offset, found, replacement);",
                        "long now = found; Words.volatileSet(memory, offset, replacement);",
                        "AtomicWords.MaskedSwapAndAdd"),
                new SourceMutant(
                        "chained work from the last step to the first",
                        MEMORY + "ChainedWorkExecutor.java",
                        "int i = next++;",
                        "int i = count - 1 - next++;",
                        "ChainedWork"),
                new SourceMutant(
                        RARE, DIRECT + "ProcessBarrier.java", "Arena.ofShared().close();", "", "Revocation.OfWrites"),
                new SourceMutant(
                        "revocation does not wait for busy lanes",
                        DIRECT + "DirectLane.java",
                        "return (int) BUSY.getAcquire(this) != 0;",
                        "return false;",
                        "Revocation.OfAdds"));
    }
}
