package tidepool.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.wire.Frame;

/**
 * A fabric whose control connection breaks before the node has replied. After a cut of all connections of a process, a
 * session that replaces the failed one meets such a connection if no thread has noticed its break.
 */
class NextSessionTest {
    private FakeNode node;

    @BeforeEach
    void start() throws IOException {
        node = new FakeNode();
    }

    @AfterEach
    void stop() throws IOException {
        node.close();
    }

    /** Otherwise the transaction that needs the session would fail, although the node can be reached. */
    @Test
    void aSessionAttachesThoughTheControlConnectionBreaks() {
        AtomicInteger replies = new AtomicInteger();
        try (Fabric fabric = Fabric.open(node.url())) {
            node.lie(Frame.REPLY, frame -> replies.getAndIncrement() == 0 ? null : frame);

            fabric.attach().close();

            node.lie(0, frame -> frame);
        }
    }

    /** Otherwise a node that breaks every connection would keep its client for ever. */
    @Test
    void aNodeThatBreaksEveryConnectionIsAskedTwice() {
        AtomicInteger replies = new AtomicInteger();
        try (Fabric fabric = Fabric.open(node.url())) {
            node.lie(Frame.REPLY, _ -> {
                replies.getAndIncrement();
                return null;
            });

            FabricException broken = assertThrows(FabricException.class, fabric::attach);

            assertEquals("no reply (the node has closed the connection): node=0", broken.getMessage());
            assertEquals(2, replies.get());
        }
    }
}
