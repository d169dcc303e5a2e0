package tidepool.bench.node;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import tidepool.tcp.journal.Durability;
import tidepool.tcp.journal.JournalOptions;
import tidepool.tcp.node.MemoryServer;
import tidepool.tcp.node.NodeOptions;

/**
 * A memory node on a free port of the loopback address. Arguments: its name, how much memory its regions may take, and maybe
 * a folder in which it keeps what is flushed, on disk. Says {@code ready PORT}, and ends when its input does, so also when whoever started it is killed.
 */
public final class NodeMain {
    private NodeMain() {}

    public static void main(String[] arguments) throws IOException {
        NodeOptions options = NodeOptions.onLoopback(arguments[0], 0, Long.parseLong(arguments[1]));
        if (arguments.length > 2)
            options = options.withDir(Path.of(arguments[2])).withJournal(JournalOptions.of(Durability.STRICT));
        MemoryServer server = MemoryServer.start(options);
        System.out.println("ready " + server.address().getPort());
        System.in.transferTo(OutputStream.nullOutputStream());
        Runtime.getRuntime().halt(0); // nobody is left who would want what its memory holds
    }
}
