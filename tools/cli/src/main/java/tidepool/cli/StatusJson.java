package tidepool.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import tidepool.tcp.probe.NodeSample;
import tidepool.wire.NodeStatus;

/** The status of nodes as JSON. Sizes are in bytes, times in milliseconds, rates per second. */
final class StatusJson {
    private StatusJson() {}

    static String text(List<NodeSample> samples, List<NodeSample> earlier) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.setPrettyPrinter(new DefaultPrettyPrinter());
            json.writeStartObject();
            json.writeArrayFieldStart("nodes");
            for (int i = 0; i < samples.size(); i++) node(json, samples.get(i), earlier.get(i));
            json.writeEndArray();
            json.writeEndObject();
        }
        return text.toString();
    }

    private static void node(JsonGenerator json, NodeSample now, NodeSample before) throws IOException {
        json.writeStartObject();
        json.writeStringField("address", now.node().toString());
        json.writeBooleanField("answers", now.isThere());
        if (now.isThere()) status(json, now, before);
        else json.writeStringField("failure", now.failure());
        json.writeEndObject();
    }

    private static void status(JsonGenerator json, NodeSample now, NodeSample before) throws IOException {
        NodeStatus status = now.status();
        json.writeStringField("name", status.name());
        json.writeStringField("version", status.version());
        json.writeNumberField("wire", status.wire());
        json.writeNumberField("uptimeMillis", status.uptimeMillis());
        json.writeNumberField("memoryUsed", status.memoryUsed());
        json.writeNumberField("memoryLimit", status.memoryLimit());
        json.writeObjectFieldStart("perSecond");
        rate(json, "rounds", now.rate(before, "rounds"));
        rate(json, "verbs", now.rateOfAll(before, "verbs-", "verbs-refused-"));
        rate(json, "bytesIn", now.rate(before, "bytes-in"));
        rate(json, "bytesOut", now.rate(before, "bytes-out"));
        json.writeEndObject();
        json.writeArrayFieldStart("pools");
        for (NodeStatus.Pool pool : status.pools()) pool(json, pool);
        json.writeEndArray();
        json.writeArrayFieldStart("clients");
        for (NodeStatus.Client client : status.clients()) client(json, client);
        json.writeEndArray();
        json.writeObjectFieldStart("counts");
        for (var count : status.counts().entrySet()) json.writeNumberField(count.getKey(), count.getValue());
        json.writeEndObject();
        json.writeArrayFieldStart("errors");
        for (String error : status.errors()) json.writeString(error);
        json.writeEndArray();
    }

    private static void rate(JsonGenerator json, String name, double perSecond) throws IOException {
        if (perSecond >= 0) json.writeNumberField(name, perSecond);
        else json.writeNullField(name);
    }

    private static void pool(JsonGenerator json, NodeStatus.Pool pool) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", pool.name());
        json.writeNumberField("number", pool.number());
        json.writeNumberField("nodes", pool.nodes());
        json.writeNumberField("regions", pool.regions());
        json.writeNumberField("bytes", pool.bytes());
        json.writeNumberField("epoch", pool.epoch());
        json.writeNumberField("sessions", pool.sessions());
        json.writeNumberField("suspects", pool.suspects());
        for (NodeStatus.Supply supply : pool.supplies()) {
            json.writeObjectFieldStart(supply.what().replace(' ', '-'));
            json.writeNumberField("used", supply.used());
            json.writeNumberField("limit", supply.limit());
            json.writeBooleanField("alarm", supply.isLow());
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    private static void client(JsonGenerator json, NodeStatus.Client client) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", client.name());
        json.writeStringField("address", client.address());
        json.writeStringField("pool", client.pool());
        json.writeNumberField("session", client.session());
        json.writeNumberField("rounds", client.rounds());
        json.writeNumberField("verbs", client.verbs());
        json.writeNumberField("bytesIn", client.bytesIn());
        json.writeNumberField("bytesOut", client.bytesOut());
        json.writeNumberField("idleMillis", client.idleMillis());
        json.writeEndObject();
    }
}
