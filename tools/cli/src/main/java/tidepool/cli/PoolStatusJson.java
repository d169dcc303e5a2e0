package tidepool.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tidepool.store.Roster;
import tidepool.wire.NodeStatus;
import tidepool.zookeeper.FillProgress;
import tidepool.zookeeper.NodeEntry;

/**
 * The state of a pool in ZooKeeper as JSON. {@code docs/operating/metrics.md} lists the fields: more may come, none
 * changes its meaning. Sizes are in bytes and times in milliseconds. An unknown value is null.
 */
final class PoolStatusJson {
    private final PoolStatus status;
    private final JsonGenerator json;

    private PoolStatusJson(PoolStatus status, JsonGenerator json) {
        this.status = status;
        this.json = json;
    }

    static String text(PoolStatus status) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.setPrettyPrinter(new DefaultPrettyPrinter());
            new PoolStatusJson(status, json).write();
        }
        return text.toString();
    }

    private void write() throws IOException {
        Roster roster = status.roster();
        json.writeStartObject();
        json.writeStringField("pool", status.place().pool());
        json.writeNumberField("epoch", roster.epoch());
        json.writeBooleanField("steady", roster.steady());
        json.writeBooleanField("well", status.isWell());
        json.writeNumberField("replicas", status.replicas());
        json.writeNumberField("membersMissing", status.missingMembers());
        json.writeNumberField("copiesMissing", status.missingCopies());
        json.writeArrayFieldStart("nodes");
        for (Roster.Member member : roster.members()) node(member.identity(), member.address());
        for (NodeEntry node : status.nodes())
            if (roster.position(node.identity()) < 0) node(node.identity(), node.address());
        json.writeEndArray();
        json.writeArrayFieldStart("partitions");
        for (Roster.Copies copies : roster.partitions()) partition(copies);
        json.writeEndArray();
        json.writeArrayFieldStart("filling");
        for (FillProgress.Entry filling : status.fillings()) filling(filling);
        json.writeEndArray();
        json.writeArrayFieldStart("alarms");
        for (String alarm : alarms()) json.writeString(alarm);
        json.writeEndArray();
        json.writeEndObject();
    }

    private void node(String identity, String address) throws IOException {
        Roster roster = status.roster();
        int me = roster.position(identity);
        NodeEntry entry = status.entry(identity);
        NodeStatus told = status.told(identity);
        json.writeStartObject();
        json.writeStringField("identity", identity);
        json.writeStringField("address", address);
        json.writeBooleanField("member", me >= 0);
        json.writeStringField("state", status.state(identity));
        json.writeNumberField(
                "primaryOf", count(roster, copies -> copies.whole().getFirst() == me));
        json.writeNumberField("backupOf", count(roster, copies -> copies.whole().indexOf(me) > 0));
        json.writeNumberField(
                "fillingOf", count(roster, copies -> copies.filling().contains(me)));
        number("leaseMillis", entry == null ? null : entry.lease().toMillis());
        number("memoryUsed", told == null ? null : told.memoryUsed());
        number("memoryLimit", told == null ? null : told.memoryLimit());
        truth("memoryAlarm", told == null ? null : told.isAlarmed());
        truth("diskFull", told == null ? null : told.isDiskFull());
        json.writeEndObject();
    }

    private static long count(Roster roster, java.util.function.Predicate<Roster.Copies> which) {
        return roster.partitions().stream().filter(which).count();
    }

    private void number(String name, Long value) throws IOException {
        if (value == null) json.writeNullField(name);
        else json.writeNumberField(name, value);
    }

    private void truth(String name, Boolean value) throws IOException {
        if (value == null) json.writeNullField(name);
        else json.writeBooleanField(name, value);
    }

    /** Writes a partition. The primary is the first of the whole copies. */
    private void partition(Roster.Copies copies) throws IOException {
        json.writeStartObject();
        identities("whole", copies.whole());
        identities("filling", copies.filling());
        json.writeEndObject();
    }

    private void identities(String name, List<Integer> members) throws IOException {
        json.writeArrayFieldStart(name);
        for (int member : members)
            json.writeString(status.roster().members().get(member).identity());
        json.writeEndArray();
    }

    private void filling(FillProgress.Entry filling) throws IOException {
        Duration left = filling.left();
        json.writeStartObject();
        json.writeNumberField("partition", filling.partition());
        json.writeStringField("identity", filling.identity());
        json.writeNumberField("bytesDone", filling.done());
        json.writeNumberField("bytesAll", filling.all());
        number("millisLeft", left == null ? null : left.toMillis());
        json.writeEndObject();
    }

    /** Returns the conditions that need an operator, as short words that do not change. */
    private List<String> alarms() {
        List<String> alarms = new ArrayList<>();
        if (status.missingMembers() > 0) alarms.add("members-missing");
        if (status.missingCopies() > 0) alarms.add("copies-missing");
        for (NodeEntry node : status.nodes()) {
            NodeStatus told = status.told(node.identity());
            if (told != null && told.isAlarmed()) alarms.add("memory " + node.identity());
            if (told != null)
                for (NodeStatus.Supply low : told.lowSupplies())
                    alarms.add(low.what().replace(' ', '-') + " " + node.identity());
            if (told != null && told.isDoubted()) alarms.add("doubted " + node.identity());
            if (told != null && told.isDiskFull()) alarms.add("disk-full " + node.identity());
        }
        return alarms;
    }
}
