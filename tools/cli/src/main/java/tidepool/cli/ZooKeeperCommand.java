package tidepool.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tidepool.wire.HostPort;
import tidepool.zookeeper.LocalZooKeeper;

/** {@code tidepool zookeeper}: runs one ZooKeeper server for trying out pools where none is installed. */
@Command(
        name = "zookeeper",
        description = {
            "Run one server of ZooKeeper, to try pools that outlive a node.",
            "For trying: a pool that matters has an ensemble of three or five servers, run by their own software."
        })
final class ZooKeeperCommand implements Callable<Integer> {
    @Option(names = "--dir", paramLabel = "FOLDER", required = true, description = "Folder of its data.")
    Path folder;

    @Option(names = "--listen", paramLabel = "HOST:PORT", description = "Where it listens; default ${DEFAULT-VALUE}.")
    String listen = "127.0.0.1:2181";

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        LibraryLogs.quiet();
        InetSocketAddress address;
        try {
            address = HostPort.parse("--listen", listen).resolve("--listen");
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        if (!address.getAddress().isLoopbackAddress())
            throw new UserError("refusing to listen on " + listen
                    + ", where everybody on the network could change the roster: this server is for trying");
        PrintWriter out = spec.commandLine().getOut();
        try {
            Files.createDirectories(folder);
            LocalZooKeeper server = new LocalZooKeeper(folder, address);
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(
                            () -> {
                                server.close();
                                out.println("zookeeper stopped");
                                out.flush();
                                Runtime.getRuntime().halt(0);
                            },
                            "tidepool-stop"));
            out.println("zookeeper listens on 127.0.0.1:" + server.port());
            out.flush();
            server.await();
            return 0;
        } catch (IOException e) {
            throw new UserError("zookeeper cannot serve " + folder + " on " + listen + ": " + e.getMessage());
        }
    }
}
