package tidepool.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Variables and methods are not named by what their type was called once. A reader would look for a second thing. */
class FormerNamesTest {
    /** A type, and the names that come from the names it had; their plurals are refused in collections, too. */
    private static final Map<String, Set<String>> FORMER = table("""
            AdaptiveSpin patience
            AddressHints addresses
            AdmissionControl door
            AnomalyCollector findings
            AnswerDispatcher landing
            AuditLog audit
            BankDriver hand
            BucketFinder lookup
            ChainedWorkExecutor chainWork
            ClientAuthenticator gate
            ClientDriver hand
            ContenderThread station
            ContenderThreads crew
            ContractPool scene
            ControlOffload beside
            Coverage reached
            DeferredAnswers held
            Endpoint port
            EnduranceStrand tenant
            ErrorText complaints
            EventCounts facts
            FigureResult findings
            FileBackedNode served
            FillScheduler filler
            FixedDivisor quotient
            FlushGuarantee outlasts
            FlushMode durability
            FrameListener answers
            FrameReader frames
            HeartbeatThread keeper
            IdleStrategy idling
            JournalAcks keeping
            JournalSummary glance
            KeyStoreDriver hand
            LeaseWindow freshness
            LivenessScan watch
            LockQueue line
            MemberCopies last
            MemberLiveness lives
            MemoryCensus stock
            ModelWord cell
            NodeConnection wire
            Op step
            OwnershipWords registration
            PartitionBalancer levelling
            PerformanceTarget promise
            PersistencePass persisting
            PersistentMapping lines
            PipelinedDriver hand
            PoolDriver hand
            PooledCoordinator seat
            QueuePolling pace
            RecoveryRunner recoveries
            ReplicaFill refilling
            ReplicaSurvey sight
            ReplicaUndo undoing
            RestartScan rebuild
            RetryLoop tries
            RunContext world
            SeriesPoint step
            SmallBankType kind
            SourceLines places
            SpinPolicy spinning
            StatementSource lines
            StrawDriver hand
            TableLayout info
            TableUsage use
            TimeoutMonitor watch
            TimestampBatch request
            TokenFileAuthenticator gate
            WarmupScan sweep
            WorkerSite ground
            WriteListener written
            """);

    private static final Pattern DECLARED = Pattern.compile("\\b([A-Z]\\w+)[>\\[\\].]*\\s+(\\w+)\\s*[;=,):(]");

    /** Limits are MIN_ and MAX_. */
    private static final Pattern LIMIT = Pattern.compile("\\b(?:MOST|LEAST)_\\w+");

    /** Types and methods that were renamed, as the decisions on layout and steps have them. */
    private static final Set<String> RENAMED = Set.of("""
            BankHand CatalogGlance CertificateGate ChainBuilder ChainWork CredentialsFile DiskWork Doorkeeper
            ElsewhereLoop FileWork HandBank HandLoop HandTeller HdtxRefill HeldAnswers IdsUsedUpException
            JournalGlance KeptListener KeptStore KeyStoreHand LastCopies LeftBehindStage LeftBehindTest
            LineMapping LinesChoice LinesStore PipelinedHand PoolHand PortReader RecordSteps RoundCheck
            RoundPending ServedNode SlotTail StrawHand SystemLines TableInfo TableUse TcpMembers
            afterCommitPoint beforeLookup besideReads blockBehind carryOut earlierHold isAnybodyWaiting
            lookAround lookOften postBehind readAgainBesideLocks readBehindSwap readBehindThenPair stoodBehind
            takesMore toCommitPoint whenNobodyLooks
            """.strip().split("\\s+"));

    private static final Pattern IDENTIFIER = Pattern.compile("\\b[A-Za-z_]\\w*");

    @Test
    void nothingHasAFormerName() throws IOException {
        List<String> found = new ArrayList<>();
        int declared = 0;
        List<Path> modules = new ArrayList<>(SourceTree.modules());
        modules.addAll(SourceTree.consumers());
        for (Path module : modules) {
            if (!Files.isDirectory(module.resolve("src"))) continue;
            try (Stream<Path> files = Files.walk(module.resolve("src"))) {
                for (Path file : files.filter(each -> each.toString().endsWith(".java"))
                        .filter(each -> !each.endsWith("FormerNamesTest.java"))
                        .toList()) {
                    String source = Files.readString(file);
                    declared += (int) DECLARED.matcher(source).results().count();
                    for (String name : former(source))
                        found.add(SourceTree.root().relativize(file) + ": " + name);
                }
            }
        }
        assertTrue(declared > 10_000, "only " + declared + " declarations were read");
        assertEquals(List.of(), found);
    }

    /** The check can fail, for fields, parameters, methods, arrays and collections. */
    @Test
    void formerNamesAreFound() {
        assertEquals(List.of("Endpoint port"), former("private final Endpoint port;"));
        assertEquals(List.of("Endpoint port"), former("void add(int port, Endpoint port) {}"));
        assertEquals(List.of("Endpoint port"), former("for (Endpoint port : all) {}"));
        assertEquals(List.of("Endpoint port"), former("Endpoint port() {"));
        assertEquals(List.of("Endpoint ports"), former("List<Endpoint> ports = new ArrayList<>();"));
        assertEquals(List.of("Endpoint ports"), former("Endpoint[] ports = null;"));
        assertEquals(List.of(), former("Endpoint endpoint; int port;"));
        assertEquals(List.of("MOST_ROWS", "LEAST_BYTES"), former("int MOST_ROWS = LEAST_BYTES * ALMOST_ALL;"));
        assertEquals(List.of("TableInfo"), former("/** See {@code TableInfo}. */"));
    }

    private static List<String> former(String source) {
        List<String> found = new ArrayList<>();
        Matcher declared = DECLARED.matcher(source);
        while (declared.find()) {
            Set<String> former = FORMER.getOrDefault(declared.group(1), Set.of());
            String name = declared.group(2);
            boolean plural = name.endsWith("s") && former.contains(name.substring(0, name.length() - 1));
            if (plural || former.contains(name)) found.add(declared.group(1) + " " + name);
        }
        found.addAll(PlainWords.matches(LIMIT, source));
        PlainWords.matches(IDENTIFIER, source).stream()
                .filter(RENAMED::contains)
                .forEach(found::add);
        return found;
    }

    private static Map<String, Set<String>> table(String lines) {
        Map<String, Set<String>> table = new TreeMap<>();
        lines.lines().forEach(line -> {
            List<String> words = List.of(line.strip().split(" "));
            table.put(words.getFirst(), Set.copyOf(words.subList(1, words.size())));
        });
        return table;
    }
}
