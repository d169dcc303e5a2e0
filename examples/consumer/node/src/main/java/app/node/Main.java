package app.node;

import java.io.IOException;
import tidepool.node.MemoryServer;
import tidepool.node.NodeOptions;

/** A memory node on any free port of this machine, which it prints. It ends with its standard input. */
public final class Main {
    private static final long MEMORY = 64 << 20;

    private Main() {}

    public static void main(String[] arguments) throws IOException {
        try (MemoryServer node = MemoryServer.start(NodeOptions.onLoopback("n1", 0, MEMORY))) {
            System.out.println(node.address().getPort());
            while (System.in.read() >= 0) {}
        }
    }
}
