package tidepool.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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

    /** Types that were renamed, and whose former name no type of the main code has now. */
    private static final Set<String> RETIRED_TYPES = Set.of("""
            Addresses AllLogs Answers Audit BackOff Beside Books Buffers Changes ChildJvm Comparison Complaints
            Conflict Connection Connections Coordinators Counters Counts Credentials Current Description Descriptors
            DiskFull Earlier Effects Facts Findings Flight FlightRing Flush Following Frames Freshness Gate Goods
            Group Hand Hello Identity Idling Inspection JournalFailed Keeper Keeping Keys Landing Levelling LinePace
            Lines Lives LockLine Lookup LvCounts Names Nearest NodeMain Outlasts Owned Partition Patience People
            Persisting Pipe Places Planned Playground PoolCreation QuietCheck Quotient Reach Reached Rebuild
            Recoveries Refill Refilling Refused Registration RememberedLives Replay Replies Scene Scratch Seat
            Sessions SharedRequest Sight SmallIndex Snapshot Spinning Stage Station Suspects Sweep Tally Target
            Targets Ticket Tries Tuples Type Undoing Updates Values Welcome Wire
            """.strip().split("\\s+"));

    /** A package, and former names of its types that name something else in other packages. */
    private static final Map<String, Set<String>> RETIRED_IN = table("""
            core/api/src/main/java/tidepool Attempt Filler Nodes Owner Tables Watch
            core/fabric/src/main/java/tidepool/fabric Orders
            core/fabric/src/main/java/tidepool/fabric/direct Durability
            core/memory/src/main/java/tidepool/memory Access ChainLayout Written
            core/protocol/src/main/java/tidepool/protocol Change TransactionTooLargeException
            core/protocol/src/main/java/tidepool/protocol/motor Memory Row
            core/store/src/main/java/tidepool/store Progress
            evidence/clusters/src/main/java/tidepool/clusters Attempt Place Workload
            evidence/clusters/src/main/java/tidepool/endurance Cell Slot Stock Tenant Worker World
            evidence/contracts/src/main/java/tidepool/contracts Client
            net/node/src/main/java/tidepool/node Watch
            net/node/src/main/java/tidepool/node/journal Entry Recovery
            net/tcp/src/main/java/tidepool/tcp Pending Port
            tools/bench/src/main/java/tidepool/bench Allocation Report
            tools/bench/src/main/java/tidepool/bench/race Crew End Entry Order Progress Promise
            tools/bench/src/main/java/tidepool/bench/smallbank Kind
            tools/cli/src/main/java/tidepool/cli Tidepool
            tools/cli/src/main/java/tidepool/cli/shell Report Rows Session Tables Token Words
            tools/lab/src/main/java/tidepool/lab Hdtx Kvs Step
            tools/workload/src/main/java/tidepool/workload Client Numbers Progress Row Rows SmallBank Teller Worker
            tools/workload/src/main/java/tidepool/workload/measured/tpcc Orders
            """);

    private static final Pattern TYPE = Pattern.compile(
            "(?m)^\\s*(?:(?:public|protected|private|static|final|abstract|sealed|non-sealed|strictfp) )*"
                    + "(?:class|interface|enum|record|@interface) (\\w+)");

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

    /** A reader who finds a former name takes the type for the one that had it. */
    @Test
    void noTypeHasAFormerName() throws IOException {
        List<String> found = new ArrayList<>();
        int types = 0;
        for (Path module : SourceTree.modules()) {
            Path main = module.resolve("src/main/java");
            if (!Files.isDirectory(main)) continue;
            try (Stream<Path> files = Files.walk(main)) {
                for (Path file :
                        files.filter(each -> each.toString().endsWith(".java")).toList()) {
                    Path relative = SourceTree.root().relativize(file);
                    List<String> declared = types(Files.readString(file));
                    types += declared.size();
                    for (String name : declared) if (isFormer(name, relative)) found.add(relative + ": " + name);
                }
            }
        }
        assertTrue(types > 1_000, "only " + types + " types were read");
        assertEquals(List.of(), found);
    }

    /** The check can fail, for nested types, and in the package that has given the name away. */
    @Test
    void formerTypesAreFound() {
        Path sim = Path.of("evidence/sim/src/main/java/tidepool/sim/CostProfile.java");
        Path memory = Path.of("core/memory/src/main/java/tidepool/memory/Access.java");
        Path protocol = Path.of("core/protocol/src/main/java/tidepool/protocol/record/Access.java");

        assertEquals(List.of("A", "Wire"), types("public record A(int a) {\n    public record Wire(int b) {}\n}\n"));
        assertEquals(List.of(), types("/**\n * A record Wire\n */\n// class Wire\n"));
        assertTrue(isFormer("Wire", sim));
        assertTrue(isFormer("Access", memory));
        assertFalse(isFormer("Access", protocol));
    }

    private static List<String> types(String source) {
        return TYPE.matcher(source).results().map(type -> type.group(1)).toList();
    }

    private static boolean isFormer(String type, Path file) {
        if (RETIRED_TYPES.contains(type)) return true;
        boolean isOfFile = file.endsWith(type + ".java");
        String folder = file.getParent().toString();
        return isOfFile && RETIRED_IN.getOrDefault(folder, Set.of()).contains(type);
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
