package tidepool.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.foreign.MemorySegment;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tidepool.base.Words;
import tidepool.fabric.shm.PoolInspection;
import tidepool.fabric.shm.PoolLayout;
import tidepool.memory.NodeInspection;
import tidepool.memory.NodeLayout;
import tidepool.memory.RegionLayout;

/** {@code tidepool inspect}: prints the contents of memory, read by the layout classes themselves. Changes nothing. */
@Command(
        name = "inspect",
        description = {
            "Print a pool, one of its files, or all layouts.",
            "It prints with the layout classes themselves. It only reads: harmless for a pool in use. Exit code"
                    + " 1 if something is wrong with what it found."
        })
final class InspectCommand implements Callable<Integer> {
    private static final String SCHEME = "shm:";

    @Parameters(paramLabel = "WHAT", description = "layouts, shm:PATH or the path of a pool, or one of a pool's files.")
    String what;

    @Option(
            names = "--hex",
            paramLabel = "OFFSET[:LENGTH]",
            description = "Also dump words of a file; of a region, counted from where verbs count.")
    String hex;

    @Option(
            names = "--index",
            paramLabel = "TABLE",
            description = "Print the nodes of the indexes of a table of a pool instead, by their layout: number, level,"
                    + " entries, the keys that they cover, right neighbour.")
    String index;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        HexDump dump = dump();
        if (what.equals("layouts")) {
            if (dump != null) throw notUnderstood("--hex needs a file");
            if (index != null) throw notUnderstood("--index needs a pool");
            Layouts.print(out);
            out.flush();
            return 0;
        }
        Path path = path();
        try {
            int faults = Files.isDirectory(path) ? pool(out, path, dump) : file(out, path, dump);
            out.flush();
            return faults == 0 ? 0 : 1;
        } catch (AccessDeniedException e) {
            out.flush();
            throw new UserError("permission denied: " + e.getFile());
        }
    }

    private int pool(PrintWriter out, Path path, HexDump dump) throws IOException {
        if (dump != null)
            throw notUnderstood(
                    "--hex needs a file, such as " + path.resolve("node-0").resolve("region-0"));
        try (PoolInspection inspection = PoolInspection.of(path)) {
            if (index != null) return nodes(out, inspection);
            PoolReport report = new PoolReport(out, inspection);
            report.pool();
            return report.faults();
        }
    }

    private int nodes(PrintWriter out, PoolInspection inspection) throws IOException {
        IndexReport report = new IndexReport(out, inspection);
        report.table(index);
        return report.faults();
    }

    /** Reports one file. Its first word tells its kind. */
    private int file(PrintWriter out, Path path, HexDump dump) throws IOException {
        if (index != null) throw notUnderstood("--index needs a pool, such as " + poolOf(path));
        try (PoolInspection inspection = PoolInspection.of(poolOf(path))) {
            MemorySegment file = inspection.map(path);
            if (file == null || file.byteSize() < Words.BYTES)
                throw new UserError("too short to be a file of a pool: " + path);
            PoolReport report = new PoolReport(out, inspection);
            out.println(path + ", " + file.byteSize() + " bytes");
            long magic = Words.plain(file, 0);
            if (magic == RegionLayout.MAGIC) report.region(file);
            else if (magic == NodeLayout.MAGIC) report.meta(file, -1);
            else if (magic == PoolLayout.MAGIC) report.superblock(file, path);
            else if (dump == null)
                throw new UserError(
                        "not a file of a Tidepool pool: its first word is 0x" + Long.toHexString(magic) + ": " + path);
            if (dump != null) {
                out.println();
                dump.print(out, magic == RegionLayout.MAGIC ? data(file) : file);
            }
            return report.faults();
        }
    }

    /** Returns the part that verbs reach, if the header states its place correctly; otherwise the whole file. */
    private static MemorySegment data(MemorySegment file) {
        return NodeInspection.faultOfRegion(file, -1) == null
                ? file.asSlice(Words.plain(file, RegionLayout.DATA))
                : file;
    }

    /** Returns the pool of a file: the superblock lies in the pool's folder, meta and regions lie one folder deeper. */
    private static Path poolOf(Path file) {
        Path folder = file.toAbsolutePath().normalize().getParent();
        if (folder == null) return file;
        boolean ofNode =
                folder.getFileName() != null && folder.getFileName().toString().startsWith("node-");
        return ofNode && folder.getParent() != null ? folder.getParent() : folder;
    }

    private Path path() {
        if (what.matches("[a-z]{2,}:.*") && !what.startsWith(SCHEME))
            throw notUnderstood("Only pools on shared memory lie in files: shm:PATH, not '" + what + "'");
        String text = what.startsWith(SCHEME) ? what.substring(SCHEME.length()) : what;
        if (text.contains("?")) text = text.substring(0, text.indexOf('?'));
        if (text.isEmpty()) throw notUnderstood("shm: needs the path of a pool");
        try {
            Path path = Path.of(text);
            if (!Files.exists(path))
                throw new UserError("there is nothing to inspect: no such file or directory: " + path);
            return path;
        } catch (InvalidPathException e) {
            throw notUnderstood("Not a path: '" + text + "'");
        }
    }

    private HexDump dump() {
        try {
            return hex == null ? null : HexDump.parse(hex);
        } catch (IllegalArgumentException e) {
            throw notUnderstood(e.getMessage());
        }
    }

    private CommandLine.ParameterException notUnderstood(String sentence) {
        return new CommandLine.ParameterException(spec.commandLine(), sentence);
    }
}
