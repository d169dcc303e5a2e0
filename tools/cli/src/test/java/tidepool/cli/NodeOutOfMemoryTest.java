package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tidepool.testkit.ChildProcess;

/** A node that has no memory left ends, with a code that says so, instead of keeping its port and answering no one. */
@Tag("process")
class NodeOutOfMemoryTest {
    @Test
    void aNodeWithoutMemoryEnds() throws InterruptedException {
        List<String> options = List.of(
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx48m",
                "--add-opens=java.base/jdk.internal.vm=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED");
        try (ChildProcess node = ChildProcess.jvm(options, HungryNode.class, "node", "--listen", "127.0.0.1:0")
                .merged()
                .start()) {
            int port = Integer.parseInt(node.line().replaceAll(".*127\\.0\\.0\\.1:(\\d+),.*", "$1"));
            knock(port);
            node.tell("");

            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
            while (node.isAlive() && System.nanoTime() < deadline) knock(port);

            assertFalse(node.isAlive(), "it still runs");
            assertEquals(NodeEnd.OUT_OF_MEMORY, node.exitCode());
            assertTrue(node.lines().stream().anyMatch(line -> line.contains("no memory left")));
            assertThrows(IOException.class, () -> new Socket(InetAddress.getLoopbackAddress(), port).close());
        }
    }

    /** Each connection costs the node some memory. */
    private static void knock(int port) throws InterruptedException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            socket.getOutputStream().write(new byte[16]);
        } catch (IOException e) {
            // It has ended, or has other things to do.
        }
        Thread.sleep(1);
    }
}
