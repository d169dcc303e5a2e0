package tidepool.node;

import java.io.IOException;
import java.nio.file.Path;
import tidepool.node.journal.Durability;
import tidepool.node.journal.JournalDisk;
import tidepool.node.journal.JournalException;
import tidepool.node.journal.JournalException.Reason;
import tidepool.node.journal.JournalOptions;
import tidepool.node.journal.PersistentMapping;
import tidepool.node.journal.RegionFiles;

/**
 * The choice between files of persistent memory and the journal for the data of a node's regions. A new folder is
 * tested. A folder that is in use keeps its choice. The choice and its reason are logged.
 *
 * @param options the options for opening the journal
 * @param lines null if the journal has the data
 */
record PersistenceChoice(JournalOptions options, UnflushedLines lines) {
    static PersistenceChoice of(Path folder, JournalDisk journal, JournalOptions options) throws IOException {
        boolean begun = RegionFiles.hasRegionFiles(journal);
        if (options.durability() != Durability.STRICT) {
            if (begun)
                throw refused("the regions of this folder are files of persistent memory, which --durability "
                        + options.durability().text() + " does not serve: start the node with --durability strict: "
                        + folder);
            return new PersistenceChoice(options.withLines(null), null);
        }
        PersistentMapping mapping = options.mapping();
        String fault = mapping == null ? "it was not asked for" : mapping.fault(folder);
        if (begun && fault != null)
            throw refused("the regions of this folder are files of persistent memory, and cannot be mapped as such ("
                    + fault + "): mount its file system with dax, or move nothing but the whole folder: " + folder);
        boolean isNew = !NodeJournal.isIn(folder);
        if (!begun && (!isNew || fault != null)) {
            log(isNew ? "FLUSH goes to a journal (no persistent memory: " + fault + ")" : "FLUSH goes to the journal");
            return new PersistenceChoice(options.withLines(null), null);
        }
        log("FLUSH writes lines of persistent memory back; the journal has only what control calls change");
        RegionFiles files = RegionFiles.under(folder, options.disks(), mapping);
        if (begun) files.belongTo(journal);
        return new PersistenceChoice(options, new UnflushedLines(files, mapping));
    }

    private static JournalException refused(String why) {
        return new JournalException(Reason.FOREIGN, why);
    }

    private static void log(String what) {
        System.getLogger("tidepool.node").log(System.Logger.Level.INFO, what);
    }
}
