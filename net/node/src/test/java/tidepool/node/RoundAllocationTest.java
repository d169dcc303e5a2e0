package tidepool.node;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** Rounds allocate nothing at the node. Otherwise a garbage collection during a round would delay all clients. */
class RoundAllocationTest {
    private static final int ROUNDS = 20_000;
    private static final int OUTSTANDING = 16;

    @Test
    void carryingOutRoundsAllocatesNothing() throws IOException {
        NodeOptions options = NodeOptions.onLoopback("frugal", 0, 16 << 20);
        try (MemoryServer server = MemoryServer.start(options);
                RawClient client = RawClient.attached(server, "bank", 1)) {
            long handle = client.region(1 << 16);
            byte[] one = RawClient.round(
                    0,
                    1,
                    new Verbs()
                            .write(handle, 0, 1, 2, 3)
                            .read(handle, 0, 64)
                            .cas(handle, 0, 1, 1)
                            .faa(handle, 8, 1)
                            .maskedCas(handle, 16, 0, 0, 5, 5)
                            .maskedFaa(handle, 24, 1, 0)
                            .flush());
            rounds(client, one);
            long before = allocated();
            rounds(client, one);
            long bytes = allocated() - before;
            assertTrue(bytes < ROUNDS / 2, "bytes allocated in " + ROUNDS + " rounds: " + bytes);
        }
    }

    private static void rounds(RawClient client, byte[] one) throws IOException {
        byte[] many = new byte[OUTSTANDING * one.length];
        for (int i = 0; i < OUTSTANDING; i++) System.arraycopy(one, 0, many, i * one.length, one.length);
        for (int i = 0; i < ROUNDS; i += OUTSTANDING) {
            client.send(many);
            for (int j = 0; j < OUTSTANDING; j++) assertTrue(client.answer().status() == 0);
        }
    }

    private static long allocated() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (long id : threads.getAllThreadIds())
            if (threads.getThreadInfo(id) != null
                    && threads.getThreadInfo(id).getThreadName().equals("tidepool-node-frugal"))
                return threads.getThreadAllocatedBytes(id);
        throw new IllegalStateException("the loop has another name");
    }
}
