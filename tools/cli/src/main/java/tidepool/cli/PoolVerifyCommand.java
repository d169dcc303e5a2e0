package tidepool.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tidepool.fabric.FabricUrl;
import tidepool.fabric.shm.PoolInspection;

/** {@code tidepool pool verify}: reads the folders of stopped nodes and reports their faults. */
@Command(
        name = "verify",
        description = {
            "Check the folders of memory nodes that do not run.",
            "Reads journals, checkpoints and regions with the classes that wrote them, and changes nothing."
                    + " With the folders"
                    + " of all nodes of a pool it also looks at every object. Exit code 1 if something is wrong."
        })
final class PoolVerifyCommand implements Callable<Integer> {
    @Parameters(arity = "1..*", paramLabel = "DIR", description = "What nodes were given by --dir.")
    List<Path> folders = new ArrayList<>();

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            defaultValue = "4g",
            description = "The most memory to take for it. Default 4g.")
    String memory;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        int faults = 0;
        try (NodeFolders found = new NodeFolders(out, maxBytes())) {
            for (Path folder : folders) {
                requireAtRest(folder);
                if (found.isJournal(folder)) found.journal(folder);
                else faults += mapped(folder, out);
            }
            faults += found.judge();
        }
        out.println(
                faults == 0
                        ? "all is as it should be"
                        : faults + (faults == 1 ? " thing is" : " things are") + " wrong");
        out.flush();
        return faults == 0 ? 0 : 1;
    }

    private long maxBytes() {
        try {
            return FabricUrl.parseSize("--memory", memory);
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /** Refuses the folder of a running node, whose files change while they are read. */
    static void requireAtRest(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) throw new UserError("there is no such folder: " + folder);
        Path lock = folder.resolve("node.lock");
        if (!Files.exists(lock)) return;
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE)) {
            if (channel.tryLock() != null) return;
        } catch (OverlappingFileLockException e) {
            // A node of this process holds the lock.
        }
        throw new UserError("a node serves this folder, stop it first: " + folder);
    }

    /** Checks pools in mapped files, each in a folder of its own. */
    private static int mapped(Path folder, PrintWriter out) throws IOException {
        int faults = 0;
        int pools = 0;
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, Files::isDirectory)) {
            for (Path entry : entries) {
                pools++;
                try (PoolInspection inspection = PoolInspection.of(entry)) {
                    PoolReport report = new PoolReport(out, inspection);
                    report.pool();
                    faults += report.faults();
                }
            }
        }
        if (pools == 0) throw new UserError("no node has kept anything in this folder: " + folder);
        return faults;
    }
}
