package tidepool.lab;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tidepool.sim.CostProfile;

/**
 * Cost profiles as files: a line {@code name = whole number} for each constant, and comments after {@code #}. A
 * constant that a file does not name has the value of the paper's testbed, whose profile is such a file and names
 * everything.
 */
public final class ProfileFile {
    private static final String FORD = "ford.properties";
    private static final String MOTOR = "motor.properties";

    /** A constant with its lowest and highest meaningful value. */
    private enum Constant {
        CPU_POST("cpu.post.ns", 0, 1_000_000),
        CPU_DOORBELL("cpu.doorbell.ns", 0, 1_000_000),
        CPU_POLL("cpu.poll.ns", 0, 1_000_000),
        NIC_PASSAGE("nic.passage.ns", 0, 1_000_000),
        NIC_MESSAGE("nic.message.ps", 0, 1_000_000_000),
        NIC_SERVICE("nic.service.ps", 0, 1_000_000_000),
        NIC_ATOMIC("nic.atomic.ps", 0, 1_000_000_000),
        NIC_INLINE("nic.inline.bytes", 0, 1 << 20),
        WIRE_ONE_WAY("wire.oneway.ns", 0, 1_000_000),
        WIRE_BYTE("wire.byte.ps", 0, 1_000_000),
        WIRE_HEADER("wire.header.bytes", 0, 4096),
        PCIE_READ("pcie.read.ns", 0, 1_000_000),
        PCIE_WRITE("pcie.write.ns", 0, 1_000_000),
        PCIE_BYTE("pcie.byte.ps", 0, 1_000_000),
        MEMORY_READ("memory.read.ns", 0, 1_000_000),
        MEMORY_READ_BYTE("memory.read.byte.ps", 0, 1_000_000),
        MEMORY_WRITE_BYTE("memory.write.byte.ps", 0, 1_000_000),
        MEMORY_LINE("memory.line.bytes", 8, 4096),
        MEMORY_PARTIAL("memory.partial.ps", 0, 1_000_000_000),
        MEMORY_PERSIST("memory.persist.ns", 0, 1_000_000),
        MEMORY_BUFFER("memory.buffer.lines", 0, 1 << 20),
        NODE_CORES("node.cores", 1, 1024),
        NODE_HANDLER("node.handler.ns", 0, 1_000_000_000),
        NODE_CHAIN("node.chain.ns", 0, 1_000_000),
        DEADLINE("patience.deadline.ns", 1_000, Long.MAX_VALUE / 4),
        LEASE("patience.lease.ns", 1_000, Long.MAX_VALUE / 4),
        LOG_DRAM("log.dram", 0, 1),
        TRANSACTION("coordinator.transaction.ns", 0, 1_000_000_000),
        READ("coordinator.read.ns", 0, 1_000_000_000),
        WRITE("coordinator.write.ns", 0, 1_000_000_000),
        COMMIT("coordinator.commit.ns", 0, 1_000_000_000);

        final String text;
        final long min;
        final long max;

        Constant(String text, long min, long max) {
            this.text = text;
            this.min = min;
            this.max = max;
        }
    }

    private ProfileFile() {}

    /** Returns the testbed of the FORD paper: §6.1. */
    public static LabProfile ford() {
        return make("ford", fordValues());
    }

    /** Returns the testbed of the Motor paper: §7.1. */
    public static LabProfile motor() {
        Map<Constant, Long> values = fordValues();
        values.putAll(parse(MOTOR, resource(MOTOR)));
        return make("motor", values);
    }

    /**
     * Reads a file.
     *
     * @throws IllegalArgumentException with a sentence for the author of the file
     */
    public static LabProfile read(Path file) {
        try {
            Map<Constant, Long> values = fordValues();
            values.putAll(parse(file.toString(), Files.readString(file)));
            return make(String.valueOf(file.getFileName()), values);
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("no such profile: " + file, e);
        } catch (IOException e) {
            throw new IllegalArgumentException("the profile cannot be read: " + file + ": " + e.getMessage(), e);
        }
    }

    /** Returns every name that a file may use. */
    public static List<String> names() {
        List<String> names = new ArrayList<>();
        for (Constant constant : Constant.values()) names.add(constant.text);
        return names;
    }

    private static Map<Constant, Long> fordValues() {
        Map<Constant, Long> values = parse(FORD, resource(FORD));
        for (Constant constant : Constant.values())
            if (!values.containsKey(constant))
                throw new IllegalStateException(FORD + " does not name " + constant.text);
        return values;
    }

    private static String resource(String name) {
        try (var in = ProfileFile.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<Constant, Long> parse(String file, String text) {
        Map<Constant, Long> values = new LinkedHashMap<>();
        int number = 0;
        for (String raw : text.lines().toList()) {
            number++;
            String line = raw.replaceFirst("#.*", "").strip();
            if (line.isEmpty()) continue;
            String where = file + ", line " + number + ": ";
            int equals = line.indexOf('=');
            if (equals < 0) throw new IllegalArgumentException(where + "'" + line + "' is not 'name = number'");
            Constant constant = find(where, line.substring(0, equals).strip());
            long value = value(where, constant, line.substring(equals + 1).strip());
            if (values.put(constant, value) != null)
                throw new IllegalArgumentException(where + constant.text + " is given twice");
        }
        return values;
    }

    private static Constant find(String where, String name) {
        for (Constant constant : Constant.values()) if (constant.text.equals(name)) return constant;
        throw new IllegalArgumentException(
                where + "there is no constant '" + name + "'; there are " + String.join(", ", names()));
    }

    private static long value(String where, Constant constant, String text) {
        long value;
        try {
            value = Long.parseLong(text.replace("_", ""));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(where + constant.text + " takes a whole number, not '" + text + "'", e);
        }
        if (value < constant.min || value > constant.max)
            throw new IllegalArgumentException(
                    where + constant.text + " takes " + constant.min + " to " + constant.max + ", not " + value);
        if (constant == Constant.MEMORY_LINE && Long.bitCount(value) != 1)
            throw new IllegalArgumentException(where + constant.text + " takes a power of two, not " + value);
        return value;
    }

    private static LabProfile make(String name, Map<Constant, Long> v) {
        CostProfile costs = new CostProfile(
                name,
                new CostProfile.Cpu(v.get(Constant.CPU_POST), v.get(Constant.CPU_DOORBELL), v.get(Constant.CPU_POLL)),
                new CostProfile.Nic(
                        v.get(Constant.NIC_PASSAGE),
                        v.get(Constant.NIC_MESSAGE),
                        v.get(Constant.NIC_SERVICE),
                        v.get(Constant.NIC_ATOMIC),
                        v.get(Constant.NIC_INLINE).intValue()),
                new CostProfile.Network(
                        v.get(Constant.WIRE_ONE_WAY),
                        v.get(Constant.WIRE_BYTE),
                        v.get(Constant.WIRE_HEADER).intValue()),
                new CostProfile.Pcie(v.get(Constant.PCIE_READ), v.get(Constant.PCIE_WRITE), v.get(Constant.PCIE_BYTE)),
                new CostProfile.Memory(
                        v.get(Constant.MEMORY_READ),
                        v.get(Constant.MEMORY_READ_BYTE),
                        v.get(Constant.MEMORY_WRITE_BYTE),
                        v.get(Constant.MEMORY_LINE).intValue(),
                        v.get(Constant.MEMORY_PARTIAL),
                        v.get(Constant.MEMORY_PERSIST),
                        v.get(Constant.MEMORY_BUFFER).intValue()),
                new CostProfile.Node(
                        v.get(Constant.NODE_CORES).intValue(),
                        v.get(Constant.NODE_HANDLER),
                        v.get(Constant.NODE_CHAIN)),
                new CostProfile.Timeouts(v.get(Constant.DEADLINE), v.get(Constant.LEASE)));
        LabProfile.CoordinatorCosts coordinator = new LabProfile.CoordinatorCosts(
                v.get(Constant.TRANSACTION), v.get(Constant.READ), v.get(Constant.WRITE), v.get(Constant.COMMIT));
        return new LabProfile(costs, coordinator, v.get(Constant.LOG_DRAM) == 1);
    }
}
