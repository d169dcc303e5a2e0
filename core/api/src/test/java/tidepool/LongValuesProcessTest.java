package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.LongValuesTest.Doc;
import tidepool.testkit.ChildProcess;
import tidepool.testkit.Effort;

/** Two processes replace and read long contents of the same rows in shared memory, sixteen threads in all. */
@Tag("process")
class LongValuesProcessTest {
    private static final int THREADS = 8;
    private static final List<String> OPTIONS = List.of(
            "--add-opens=java.base/jdk.internal.vm=ALL-UNNAMED",
            "--enable-native-access=ALL-UNNAMED",
            "-XX:TieredStopAtLevel=1",
            "-Xmx256m");
    private static final List<String> PROTOCOLS =
            List.of("ford", "ford-lv&vcache=global", "farm", "drtmh", "farmv2", "motor", "hdtx");

    @Test
    void noReaderSeesATornContent(@TempDir Path directory) throws InterruptedException {
        int rounds = Effort.of(10, 25, 1_000);
        try (ChildProcess child = ChildProcess.jvm(OPTIONS, LongValuesProcessTest.class, Integer.toString(rounds))
                .start()) {
            for (String protocol : PROTOCOLS) {
                String url = "shm:" + directory.resolve(protocol.replace('&', '-'))
                        + "?nodes=2&replicas=2&memory=32m&coordinators=32&timeout=60s&protocol=" + protocol;
                try (Tidepool pool = Tidepool.open(url)) {
                    Table<Doc> docs = LongValuesTest.sealedDocs(pool);
                    child.tell(url);
                    assertEquals("begins", child.line(), child::errors);
                    int reads = LongValuesTest.readWhileOthersWrite(pool, docs, THREADS, rounds, 100);
                    assertEquals(THREADS / 2 * rounds, reads, protocol);
                    assertEquals("reads " + reads, child.line(), child::errors);
                    PartsCensus.check(pool, docs);
                }
            }
        }
    }

    /** The other process: takes the URLs of pools, one after the other. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String url = in.readLine(); url != null; url = in.readLine()) {
            try (Tidepool pool = Tidepool.open(url)) {
                Table<Doc> docs = pool.table("docs", Doc.class, 64);
                System.out.println("begins");
                int rounds = Integer.parseInt(arguments[0]);
                System.out.println("reads " + LongValuesTest.readWhileOthersWrite(pool, docs, THREADS, rounds, 200));
            }
        }
    }
}
