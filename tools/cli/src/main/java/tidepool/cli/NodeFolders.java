package tidepool.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.fabric.FabricException;
import tidepool.memory.NodeInspection;
import tidepool.memory.NodeLayout;
import tidepool.node.journal.JournalDisk;
import tidepool.node.journal.JournalException;
import tidepool.node.journal.JournalRecovery;
import tidepool.node.journal.NodeImage;
import tidepool.node.journal.RegionFiles;
import tidepool.node.journal.SystemDisk;
import tidepool.store.StoreException;
import tidepool.wire.Shortfall;
import tidepool.workload.QuiescentPoolCheck;

/** Reads the journals of stopped nodes, reports their contents and counts their faults. */
final class NodeFolders implements AutoCloseable {
    private final PrintWriter out;
    private final long maxBytes;
    private final List<NodeImage> images = new ArrayList<>();
    private final Map<Id128, Map<Integer, NodeImage.Pool>> pools = new LinkedHashMap<>();
    private boolean allEndedInOrder = true;
    private int faults;

    NodeFolders(PrintWriter out, long maxBytes) {
        this.out = out;
        this.maxBytes = maxBytes;
    }

    boolean isJournal(Path folder) {
        return Files.isDirectory(folder.resolve("journal"));
    }

    void journal(Path folder) throws IOException {
        out.println("node folder " + folder);
        JournalDisk disk = new SystemDisk(folder.resolve("journal"));
        RegionFiles files = RegionFiles.seen(folder, disk);
        if (files != null) out.println("  regions    files of persistent memory");
        NodeImage image = new NodeImage(maxBytes, files);
        images.add(image);
        Shortfall shortfall;
        try {
            JournalRecovery found = JournalRecovery.read(disk, image);
            if (found == null) {
                fault("no journal has begun here");
                return;
            }
            out.printf(
                    Locale.ROOT,
                    "  journal    block %d, checkpoint before block %d, %,d bytes; life %d, %d losses of power%n",
                    found.sequence(),
                    found.firstBlock(),
                    found.journalBytes(),
                    found.life(),
                    found.powerLosses());
            out.println("  ended      " + ending(found));
            allEndedInOrder &= found.isClosed();
            if (found.isShort()) fault(found.shortage());
            shortfall = found.isShort() || found.isBelieved() ? Shortfall.NONE : found.shortfall();
        } catch (JournalException e) {
            fault(e.getMessage());
            return;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        for (NodeImage.Pool pool : image.pools().values()) {
            pool(pool);
            doubt(folder, pool, shortfall);
            pools.computeIfAbsent(pool.id(), id -> new TreeMap<>()).put(pool.number(), pool);
        }
    }

    /** Reports a pool that still had to be filled from other copies when the node stopped. */
    private void doubt(Path folder, NodeImage.Pool pool, Shortfall shortfall) {
        long word = Words.plain(pool.meta(), NodeLayout.DOUBT);
        if (shortfall.at() > Math.max(0, word) && word >= 0)
            fault(shortfall.text(folder + "/journal") + "; pool " + pool.name() + " was not filled since");
        else if (word < 0)
            fault("other copies of pool " + pool.name() + " are newer than " + folder
                    + "/journal, from which it was not filled yet");
    }

    private static String ending(JournalRecovery found) {
        if (found.isClosed()) return "in order";
        return !found.isTorn()
                ? "suddenly, behind a whole block"
                : "suddenly, in the middle of a block at offset " + found.endAt() + " of the last segment";
    }

    private void pool(NodeImage.Pool pool) {
        out.println("  pool " + pool.name() + " " + pool.id() + ", node " + pool.number() + " of " + pool.nodes());
        String wrong = NodeInspection.faultOfNode(pool.meta(), -1);
        if (wrong != null) {
            fault(wrong);
            return;
        }
        int count = (int) Words.plain(pool.meta(), NodeLayout.REGION_COUNT);
        for (int i = 0; i < count; i++) {
            long entry = NodeLayout.region(i);
            if (!NodeLayout.isLive(Words.plain(pool.meta(), entry + NodeLayout.REGION_STATE))) continue;
            region(pool, i, Words.plain(pool.meta(), entry + NodeLayout.REGION_BYTES));
        }
    }

    private void region(NodeImage.Pool pool, int number, long bytes) {
        MemorySegment whole = pool.regions().get(number);
        if (whole == null || whole.byteSize() != bytes) {
            fault("region " + number + " is missing, or of another size than " + bytes);
            return;
        }
        String wrong = NodeInspection.faultOfRegion(whole, number);
        long[] sum = new long[2];
        if (wrong == null)
            wrong = NodeInspection.extents(whole, (extent, session) -> {
                sum[0]++;
                sum[1] += extent.bytes();
            });
        if (wrong != null) fault(wrong);
        else out.printf(Locale.ROOT, "    region %d  %,d bytes, %,d in %d extents%n", number, bytes, sum[1], sum[0]);
    }

    /** Reports faults that show only when all folders are read. Returns the number of faults. */
    int judge() {
        if (faults == 0) for (Map<Integer, NodeImage.Pool> nodes : pools.values()) objects(List.copyOf(nodes.values()));
        return faults;
    }

    /** Checks every object on every replica, for a pool whose nodes are all given. */
    private void objects(List<NodeImage.Pool> nodes) {
        String name = nodes.getFirst().name();
        if (nodes.size() < nodes.getFirst().nodes()) {
            out.println("pool " + name + ": " + nodes.size() + " of its "
                    + nodes.getFirst().nodes() + " nodes are here; objects are looked at when all are");
            return;
        }
        QuiescentPoolCheck seen;
        try (ImageFabric fabric = new ImageFabric(nodes)) {
            seen = QuiescentPoolCheck.of(fabric);
        } catch (StoreException | FabricException | IllegalStateException e) {
            String told = "pool " + name + ": objects cannot be looked at: " + e.getMessage();
            if (allEndedInOrder) fault(told);
            else out.println(told);
            return;
        }
        out.printf(
                Locale.ROOT, "pool %s: %,d objects, %,d of them hold a value%n", name, seen.objects(), seen.present());
        boolean atRest = allEndedInOrder && seen.problems().stream().noneMatch(text -> text.startsWith("coordinator"));
        for (String problem : seen.problems()) {
            if (atRest) fault(problem);
            else out.println("  to be repaired when the pool is opened: " + problem);
        }
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
