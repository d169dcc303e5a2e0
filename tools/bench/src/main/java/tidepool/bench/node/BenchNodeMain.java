package tidepool.bench.node;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import tidepool.node.MemoryServer;
import tidepool.node.NodeOptions;
import tidepool.node.journal.Durability;
import tidepool.node.journal.JournalOptions;

/**
 * A process with a memory node on a free port of the loopback address. Arguments: its name, the memory limit of its
 * regions, and optionally a folder on a disk for its journal. Prints {@code ready PORT}, and ends when its input ends,
 * so also when its parent process is killed.
 */
public final class BenchNodeMain {
    private BenchNodeMain() {}

    public static void main(String[] arguments) throws IOException {
        NodeOptions options = NodeOptions.onLoopback(arguments[0], 0, Long.parseLong(arguments[1]));
        if (arguments.length > 2)
            options = options.withDir(Path.of(arguments[2])).withJournal(JournalOptions.of(Durability.STRICT));
        MemoryServer server = MemoryServer.start(options);
        System.out.println("ready " + server.address().getPort());
        System.in.transferTo(OutputStream.nullOutputStream());
        Runtime.getRuntime().halt(0); // the contents of its memory are no longer needed
    }
}
