package tidepool.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tidepool.base.Words;
import tidepool.memory.Inspection;
import tidepool.memory.NodeLayout;
import tidepool.tcp.journal.JournalException;
import tidepool.tcp.journal.NodeImage;
import tidepool.tcp.journal.Recovery;
import tidepool.tcp.journal.SystemDisk;

/** Reads the journals of nodes that do not run, says what is in them, and counts what is wrong. */
final class NodeFolders implements AutoCloseable {
    private final PrintWriter out;
    private final long mostBytes;
    private final List<NodeImage> images = new ArrayList<>();
    private int faults;

    NodeFolders(PrintWriter out, long mostBytes) {
        this.out = out;
        this.mostBytes = mostBytes;
    }

    boolean isJournal(Path folder) {
        return Files.isDirectory(folder.resolve("journal"));
    }

    void journal(Path folder) throws IOException {
        out.println("node folder " + folder);
        NodeImage image = new NodeImage(mostBytes);
        images.add(image);
        try {
            Recovery found = Recovery.read(new SystemDisk(folder.resolve("journal")), image);
            if (found == null) {
                fault("no journal has begun here");
                return;
            }
            out.printf(
                    Locale.ROOT,
                    "  journal    block %,d, checkpoint before block %,d, %,d bytes; life %d, %d losses of power%n",
                    found.sequence(),
                    found.firstBlock(),
                    found.journalBytes(),
                    found.life(),
                    found.powerLosses());
            out.println("  ended      " + ending(found));
        } catch (JournalException e) {
            fault(e.getMessage());
            return;
        }
        for (NodeImage.Pool pool : image.pools().values()) pool(pool);
    }

    private static String ending(Recovery found) {
        if (found.isClosed()) return "in order";
        return found.tornAt() < 0
                ? "suddenly, behind a whole block"
                : "suddenly, in the middle of a block at offset " + found.tornAt() + " of the last segment";
    }

    private void pool(NodeImage.Pool pool) {
        out.println("  pool " + pool.name() + " " + pool.id() + ", node " + pool.number() + " of " + pool.nodes());
        String wrong = Inspection.faultOfNode(pool.meta(), -1);
        if (wrong != null) {
            fault(wrong);
            return;
        }
        int count = (int) Words.plain(pool.meta(), NodeLayout.REGION_COUNT);
        for (int i = 0; i < count; i++) {
            long entry = NodeLayout.region(i);
            if (Words.plain(pool.meta(), entry + NodeLayout.REGION_STATE) != NodeLayout.REGION_LIVE) continue;
            region(pool, i, Words.plain(pool.meta(), entry + NodeLayout.REGION_BYTES));
        }
    }

    private void region(NodeImage.Pool pool, int number, long bytes) {
        MemorySegment whole = pool.regions().get(number);
        if (whole == null || whole.byteSize() != bytes) {
            fault("region " + number + " is missing, or of another size than " + bytes);
            return;
        }
        String wrong = Inspection.faultOfRegion(whole, number);
        long[] sum = new long[2];
        if (wrong == null)
            wrong = Inspection.extents(whole, (extent, session) -> {
                sum[0]++;
                sum[1] += extent.bytes();
            });
        if (wrong != null) fault(wrong);
        else out.printf(Locale.ROOT, "    region %d  %,d bytes, %,d in %d extents%n", number, bytes, sum[1], sum[0]);
    }

    /** What can be said when all folders are read; returns how many things are wrong. */
    int judge() {
        return faults;
    }

    private void fault(String sentence) {
        faults++;
        out.println("  WRONG: " + sentence);
    }

    @Override
    public void close() {
        for (NodeImage image : images) image.close();
    }
}
