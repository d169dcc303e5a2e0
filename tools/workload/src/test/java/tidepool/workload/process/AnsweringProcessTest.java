package tidepool.workload.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that fails says why, whichever way it fails. */
@Tag("process")
class AnsweringProcessTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    @TempDir
    Path folder;

    @Test
    void answersAreReadByTheirWords() {
        try (AnsweringProcess process = start("read a; echo wrong 1; echo wrong 2; echo checked $a", List::getFirst)) {
            List<String> wrong = new ArrayList<>();
            process.process().tell("all");

            assertEquals("all", process.answer("checked", "wrong", wrong::add));
            assertEquals(List.of("1", "2"), wrong);
        }
    }

    @Test
    void aFailureIsReported() {
        assertEquals("child failed: no room", failure("echo failed no room", List::getFirst));
        assertEquals("child failed: other words", failure("echo other words", List::getFirst));
        assertEquals("child failed: one", failure("echo one >&2; echo two >&2", List::getFirst));
        assertEquals("child failed: two", failure("echo one >&2; echo two >&2", List::getLast));
        assertEquals("child failed: it ended without a word", failure("true", List::getFirst));
    }

    /** A terminal sends ^C to a whole group of processes; measurements end when their parent process says so. */
    @Test
    void interruptsAreIgnored() throws Exception {
        List<String> command = JvmCommand.deafToInterrupts(List.of("sh", "-c", "kill -INT $$; echo alive it is"));
        try (AnsweringProcess process =
                AnsweringProcess.start("child", command, folder.resolve("errors"), LONG, List::getFirst)) {
            assertEquals("it is", process.answer("alive"));
            assertEquals(0, process.process().awaitEnd());
            assertFalse(process.process().hasFailed());
        }
    }

    private String failure(String script, Function<List<String>, String> error) {
        try (AnsweringProcess process = start(script, error)) {
            return assertThrows(IllegalStateException.class, () -> process.ask("go", "done"))
                    .getMessage();
        }
    }

    private AnsweringProcess start(String script, Function<List<String>, String> error) {
        Path errors = folder.resolve("errors-" + System.nanoTime());
        return AnsweringProcess.start("child", List.of("sh", "-c", script), errors, LONG, error);
    }
}
