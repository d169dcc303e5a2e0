package tidepool.bench.node;

import java.io.IOException;
import java.io.OutputStream;
import tidepool.tcp.node.MemoryServer;
import tidepool.tcp.node.NodeOptions;

/**
 * A memory node on a free port of the loopback address. Arguments: its name, and how much memory its regions may take. Says
 * {@code ready PORT}, and ends when its input does, so also when whoever started it is killed.
 */
public final class NodeMain {
    private NodeMain() {}

    public static void main(String[] arguments) throws IOException {
        NodeOptions options = NodeOptions.onLoopback(arguments[0], 0, Long.parseLong(arguments[1]));
        MemoryServer server = MemoryServer.start(options);
        System.out.println("ready " + server.address().getPort());
        System.in.transferTo(OutputStream.nullOutputStream());
        Runtime.getRuntime().halt(0); // nobody is left who would want what its memory holds
    }
}
