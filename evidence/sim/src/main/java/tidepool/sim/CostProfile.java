package tidepool.sim;

import java.util.List;

/**
 * The costs of operations in virtual time. Every constant has its source, or is marked as estimated, in
 * {@code docs/benchmarks/cost-model.md}; {@code CostProfileTest} adds up the parts and expects the sum to the
 * nanosecond.
 */
public record CostProfile(
        String name, Cpu cpu, Nic nic, Network network, Pcie pcie, Memory memory, Node node, Timeouts timeouts) {

    /**
     * CPU of a compute machine.
     *
     * @param postNanos to write one work request
     * @param doorbellNanos to ring the doorbell, once for each link of a round
     * @param pollNanos to take a completion, once for each link of a round
     */
    public record Cpu(long postNanos, long doorbellNanos, long pollNanos) {}

    /**
     * A NIC, at either end.
     *
     * @param passageNanos latency of each passage through it
     * @param messagePicos of its engine for each verb at the requester
     * @param servicePicos of its engine for each verb at the memory node
     * @param atomicPicos of the memory node's atomic unit for each atomic
     * @param inlineBytes a WRITE or CALL up to this length is sent inside its work request, a longer one is fetched
     */
    public record Nic(long passageNanos, long messagePicos, long servicePicos, long atomicPicos, int inlineBytes) {
        /** Creates a NIC that takes as long for a verb at the memory node as at the requester. */
        public Nic(long passageNanos, long messagePicos, long atomicPicos, int inlineBytes) {
            this(passageNanos, messagePicos, messagePicos, atomicPicos, inlineBytes);
        }
    }

    /**
     * The network.
     *
     * @param oneWayNanos propagation and switch
     * @param picosPerByte each direction of each machine's link
     * @param headerBytes that every message adds
     */
    public record Network(long oneWayNanos, long picosPerByte, int headerBytes) {}

    /**
     * The path between NIC and memory.
     *
     * @param readNanos round trip of a DMA read
     * @param writeNanos of a DMA write until the CPU sees it: landing and completion at the requester
     * @param picosPerByte each direction, at the memory node
     */
    public record Pcie(long readNanos, long writeNanos, long picosPerByte) {}

    /**
     * The memory itself.
     *
     * @param readNanos latency
     * @param readPicosPerByte bandwidth of reads
     * @param writePicosPerByte bandwidth of writes
     * @param lineBytes the unit in which it is read and written
     * @param partialWritePicos added when a WRITE does not cover whole 64-byte words of PCIe: read, modify, write
     * @param persistNanos added to a FLUSH
     * @param bufferLines lines of its write buffer: a write to a buffered line costs the medium nothing more
     */
    public record Memory(
            long readNanos,
            long readPicosPerByte,
            long writePicosPerByte,
            int lineBytes,
            long partialWritePicos,
            long persistNanos,
            int bufferLines) {

        /** Creates memory without a write buffer. */
        public Memory(
                long readNanos,
                long readPicosPerByte,
                long writePicosPerByte,
                int lineBytes,
                long partialWritePicos,
                long persistNanos) {
            this(readNanos, readPicosPerByte, writePicosPerByte, lineBytes, partialWritePicos, persistNanos, 0);
        }
    }

    /**
     * Computation at the memory node.
     *
     * @param cores for CALLs
     * @param handlerNanos CPU for one CALL, and for a control call
     * @param chainStepNanos of its NIC for each step of chained work
     */
    public record Node(int cores, long handlerNanos, long chainStepNanos) {}

    /**
     * Time limits.
     *
     * @param deadlineNanos of a round, unless the round sets its own
     * @param leaseNanos after which a machine that makes no progress counts as dead
     */
    public record Timeouts(long deadlineNanos, long leaseNanos) {}

    private static final Cpu XEON = new Cpu(30, 100, 40);
    private static final Nic CONNECTX_5 = new Nic(100, 14_286, 20_833, 64);
    private static final Network GIGABIT_100 = new Network(150, 80, 42);
    private static final Pcie PCIE_3_X16 = new Pcie(1000, 200, 72);
    static final Memory DRAM = new Memory(82, 10, 10, 64, 0, 0);
    private static final Node ONE_CORE = new Node(1, 400, 100);
    private static final Timeouts MILLISECOND = new Timeouts(1_000_000, 10_000_000);

    /** ConnectX-5, 100 Gb/s, one switch, DRAM: the testbed of Motor §7.1, and of FORD §6.1 without its PM. */
    public static final CostProfile CX5 =
            new CostProfile("cx5", XEON, CONNECTX_5, GIGABIT_100, PCIE_3_X16, DRAM, ONE_CORE, MILLISECOND);

    /**
     * The testbed {@link #CX5} with Optane DC persistent memory, DDIO off: FORD §6.1, R74V of the DrTM+X thesis §2.3.
     */
    public static final CostProfile CX5_OPTANE = CX5.with("cx5-optane", new Memory(271, 25, 80, 256, 46_187, 0));

    /** ConnectX-3, 40 Gb/s: the generation of FaRM, FaSST and the first DrTM; its atomics are slow. */
    public static final CostProfile CX3 = new CostProfile(
            "cx3",
            XEON,
            new Nic(150, 28_571, 370_370, 64),
            new Network(150, 200, 42),
            new Pcie(1000, 200, 140),
            DRAM,
            ONE_CORE,
            MILLISECOND);

    /** Memory behind a CXL switch: loads and stores, no NIC, no doorbell, hundreds of nanoseconds. */
    public static final CostProfile CXL = new CostProfile(
            "cxl",
            new Cpu(5, 0, 5),
            new Nic(0, 1_000, 10_000, 4096),
            new Network(85, 32, 16),
            new Pcie(0, 0, 0),
            new Memory(82, 10, 10, 64, 0, 100),
            new Node(1, 400, 50),
            new Timeouts(100_000, 10_000_000));

    /** No costs at all: for tests of order, not of time. */
    public static final CostProfile ZERO = new CostProfile(
            "zero",
            new Cpu(0, 0, 0),
            new Nic(0, 0, 0, 0),
            new Network(0, 0, 0),
            new Pcie(0, 0, 0),
            new Memory(0, 0, 0, 64, 0, 0),
            new Node(1, 0, 0),
            MILLISECOND);

    private static final List<CostProfile> ALL = List.of(CX5, CX5_OPTANE, CX3, CXL, ZERO);

    /** Returns the profile of a name on the command line: cx5, cx5-optane, cx3, cxl, zero. */
    public static CostProfile named(String name) {
        for (CostProfile profile : ALL) if (profile.name.equals(name)) return profile;
        throw new IllegalArgumentException("unknown cost profile '" + name + "'; known: "
                + String.join(", ", ALL.stream().map(CostProfile::name).toList()));
    }

    public static List<CostProfile> all() {
        return ALL;
    }

    /** Returns this profile with another name and other memory. */
    public CostProfile with(String otherName, Memory otherMemory) {
        return new CostProfile(otherName, cpu, nic, network, pcie, otherMemory, node, timeouts);
    }

    /** Returns this profile with another deadline. */
    public CostProfile withDeadline(long nanos) {
        return with(new Timeouts(nanos, timeouts.leaseNanos));
    }

    /** Returns this profile with another lease. */
    public CostProfile withLease(long nanos) {
        return with(new Timeouts(timeouts.deadlineNanos, nanos));
    }

    private CostProfile with(Timeouts otherTimeouts) {
        return new CostProfile(name, cpu, nic, network, pcie, memory, node, otherTimeouts);
    }
}
