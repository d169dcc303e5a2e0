package tidepool.cli.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tidepool.node.MemoryServer;
import tidepool.node.NodeOptions;

/** The shell on memory nodes over sockets: equal answers, and a sentence when the nodes are gone. */
class NetworkShellTest {
    private static final Path SESSIONS = Path.of("src", "test", "resources", "tidepool", "cli", "shell");
    private static final Duration IDLE = Duration.ofMinutes(10);

    private final List<MemoryServer> nodes = new ArrayList<>();

    @BeforeEach
    void start() {
        for (int i = 0; i < 3; i++) nodes.add(MemoryServer.start(NodeOptions.onLoopback("node-" + i, 0, 64 << 20)));
    }

    @AfterEach
    void stop() {
        nodes.forEach(MemoryServer::close);
    }

    /** Nothing in the shell knows which fabric carries the pool. */
    @Test
    void theAnswersAreThoseOnSharedMemory() throws Exception {
        StringWriter seen = new StringWriter();
        PrintWriter both = new PrintWriter(seen);
        boolean good = Shells.piped(
                url(""), IDLE, new StringReader(Files.readString(SESSIONS.resolve("session.txt"))), both, both);

        assertFalse(good, "some of its statements fail");
        assertEquals(Files.readString(SESSIONS.resolve("session.expected")), seen.toString());
    }

    @Test
    void aPoolThatIsGoneIsSaidInASentence() {
        try (ShellSession session = new ShellSession(url("&timeout=300ms"), IDLE)) {
            run(session, "create t (a int)");
            run(session, "put t 1 a=1");
            run(session, "begin");
            run(session, "put t 1 a=2");
            nodes.forEach(MemoryServer::close);

            String lost = assertThrows(StatementException.class, () -> run(session, "get t 2"))
                    .getMessage();
            assertTrue(lost.startsWith("the transaction was aborted: the pool cannot be reached: "), lost);
            assertEquals(ShellSession.State.ABORTED, session.state());
            String gone = assertThrows(StatementException.class, () -> {
                        run(session, "rollback");
                        run(session, "get t 1");
                    })
                    .getMessage();
            assertTrue(gone.startsWith("the pool cannot be reached: "), gone);
            assertTrue(gone.endsWith("; nothing was applied"), gone);
        }
    }

    private String url(String more) {
        return nodes.stream()
                .map(node ->
                        node.address().getHostString() + ":" + node.address().getPort())
                .collect(Collectors.joining(",", "tcp://", "/pool?memory=256k" + more));
    }

    private static String run(ShellSession session, String line) {
        return session.run(StatementParser.parse(Lexer.statements(line).getFirst()))
                .text();
    }
}
