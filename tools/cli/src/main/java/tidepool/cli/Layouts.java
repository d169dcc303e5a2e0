package tidepool.cli;

import java.io.PrintWriter;
import java.lang.foreign.StructLayout;
import java.util.List;
import tidepool.base.LayoutTable;
import tidepool.fabric.shm.PoolLayout;
import tidepool.memory.ChainedWorkLayout;
import tidepool.memory.NodeLayout;
import tidepool.memory.RegionLayout;
import tidepool.node.journal.JournalLayout;
import tidepool.sim.ReferenceRecord;
import tidepool.store.CatalogLayout;
import tidepool.store.LogLayout;
import tidepool.store.ObjectLayout;
import tidepool.store.QueueWord;
import tidepool.store.motor.DeltaLayout;
import tidepool.store.motor.PackageLayout;
import tidepool.store.motor.TupleLayout;

/** All byte layouts that outlive a strand, by the classes that define them. A new layout is one more line. */
final class Layouts {
    private static final List<StructLayout> ALL = List.of(
            PoolLayout.SUPERBLOCK,
            JournalLayout.FILE,
            JournalLayout.BLOCK,
            NodeLayout.HEADER,
            NodeLayout.REGION,
            NodeLayout.SESSION,
            RegionLayout.HEADER,
            ChainedWorkLayout.HEADER,
            ChainedWorkLayout.STEP,
            CatalogLayout.HEADER,
            ObjectLayout.HEADER,
            LogLayout.HEADER,
            TupleLayout.CELL,
            PackageLayout.HEADER,
            DeltaLayout.HEADER,
            tidepool.store.farmv2.ChainLayout.NEWEST,
            tidepool.store.farmv2.ChainLayout.BLOCK,
            QueueWord.WORD,
            ReferenceRecord.HEADER);

    private Layouts() {}

    static void print(PrintWriter out) {
        for (StructLayout layout : ALL) {
            out.print(LayoutTable.of(layout));
            out.println();
        }
        out.println("What the fields mean: docs/internals/layouts.");
    }
}
