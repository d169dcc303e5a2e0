package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The log of a node: one line for each event, whatever text clients send. */
class NodeLogTest {
    private static final System.Logger LOG = System.getLogger("tidepool.node");
    private final StringWriter written = new StringWriter();

    /** The logger is one for all tests of this JVM. */
    @AfterEach
    void leaveItAsItWas() {
        Logger ours = Logger.getLogger("tidepool");
        for (Handler handler : ours.getHandlers()) ours.removeHandler(handler);
        ours.setUseParentHandlers(true);
        ours.setLevel(null);
    }

    @Test
    void aLineNamesTimeLevelAndCause() {
        NodeLog.to(new PrintWriter(written), Level.INFO);
        LOG.log(System.Logger.Level.INFO, "node={0} starts", "n1");
        LOG.log(System.Logger.Level.ERROR, "it failed", new IllegalStateException("no\nroom"));

        List<String> lines = written.toString().lines().toList();
        assertEquals(2, lines.size(), written.toString());
        assertTrue(lines.get(0).matches("\\d{4}-\\S+Z info node=n1 starts"), lines.get(0));
        assertTrue(
                lines.get(1).matches("\\d{4}-\\S+Z error it failed: java.lang.IllegalStateException: no room"),
                lines.get(1));
    }

    /** Otherwise a client could imitate log lines. */
    @Test
    void whatStrangersSayStaysInItsLine() {
        NodeLog.to(new PrintWriter(written), Level.INFO);
        LOG.log(System.Logger.Level.WARNING, "refused client=x\r\n2026-01-01T00:00:00Z info all is well\u0007");

        assertEquals(1, written.toString().lines().count(), written.toString());
    }

    @Test
    void whatIsBelowTheLevelIsLeftOut() {
        NodeLog.to(new PrintWriter(written), Level.WARNING);
        LOG.log(System.Logger.Level.INFO, "in order");
        assertEquals("", written.toString());

        NodeLog.to(new PrintWriter(written), Level.FINE);
        LOG.log(System.Logger.Level.DEBUG, "where", new IllegalStateException("x"));
        assertTrue(written.toString().contains("at tidepool.cli.NodeLogTest"), written.toString());
    }
}
