package tidepool.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A table in a document whose rows a test measures. {@code -Dtidepool.docs.write=true} writes them. */
public final class DocTable {
    private static final boolean WRITES = Boolean.getBoolean("tidepool.docs.write");

    private DocTable() {}

    /** Compares the rows below a head, which ends with the line under it, with those that were measured. */
    public static void check(String document, String head, String measured) throws IOException {
        Path page = SourceTree.path(document);
        String text = Files.readString(page);
        int start = text.indexOf(head);
        assertTrue(start >= 0, document + " has no table " + head);
        int from = start + head.length();
        int end = text.indexOf("\n\n", from);
        if (WRITES) Files.writeString(page, text.substring(0, from) + measured + text.substring(end));
        else assertEquals(text.substring(from, end), measured, document + "; -Dtidepool.docs.write=true writes it");
    }
}
