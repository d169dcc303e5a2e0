package tidepool.history;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/** Parses one line: {@code {"index":0,"process":3,"type":"invoke","f":"txn","value":[["append",5,1],["r",5,null]]}}. */
final class EventParser {
    static final byte INVOKE = 0;
    static final byte OK = 1;
    static final byte FAIL = 2;
    static final byte INFO = 3;
    /** An {@code ok} without a value: its invocation contains everything. */
    static final byte OK_AS_INVOKED = 4;

    private static final byte NO_TYPE = -1;

    private final JsonFactory factory = new JsonFactory();
    private final ParsedOps ops = new ParsedOps();
    private final OperationParser operations;

    private boolean indexed;
    private long index;
    private boolean hasProcess;
    private boolean client;
    private long process;
    private byte type;
    private boolean hasValue;
    private boolean isFormat;
    private int version = HistoryLines.FIRST_VERSION;

    EventParser(KeyNumbering keys) {
        this.operations = new OperationParser(keys, ops);
    }

    /** Begins a file, which has no range reads unless its first line says so. */
    void beginFile() {
        version = HistoryLines.FIRST_VERSION;
    }

    /** Parses a line; its parts can be asked for until the next call. */
    void parse(byte[] bytes, int start, int length) throws IOException, MalformedEvent {
        indexed = false;
        hasProcess = false;
        client = false;
        type = NO_TYPE;
        hasValue = false;
        isFormat = false;
        ops.clear();
        try (JsonParser json = factory.createParser(bytes, start, length)) {
            if (json.nextToken() != JsonToken.START_OBJECT) throw new MalformedEvent("a line must be one JSON object");
            while (json.nextToken() == JsonToken.FIELD_NAME) field(json);
            if (json.nextToken() != null) throw new MalformedEvent("text after the JSON object");
        } catch (JsonProcessingException broken) {
            throw new MalformedEvent("not JSON: " + broken.getOriginalMessage().replace('\n', ' ') + " (column "
                    + broken.getLocation().getColumnNr() + ")");
        }
        if (!hasProcess) throw new MalformedEvent("the event has no \"process\"");
        if (!client) return;
        if (type == NO_TYPE) throw new MalformedEvent("the event has no \"type\"");
        if (type == INVOKE && !hasValue) throw new MalformedEvent("an invoke needs a \"value\": its operations");
    }

    private void field(JsonParser json) throws IOException, MalformedEvent {
        String name = json.currentName();
        JsonToken token = json.nextToken();
        switch (name) {
            case "index" -> {
                index = OperationParser.integer(json, "index");
                indexed = true;
            }
            case "process" -> {
                hasProcess = true;
                client = token == JsonToken.VALUE_NUMBER_INT;
                if (client) process = json.getLongValue();
                else if (token != JsonToken.VALUE_STRING) throw new MalformedEvent("\"process\" must be an integer");
                else isFormat = HistoryLines.FORMAT.equals(json.getText());
            }
            case "type" -> type = type(json);
            case "f" -> {
                if (token != JsonToken.VALUE_STRING) throw new MalformedEvent("\"f\" must be a string");
            }
            case "value" -> value(json);
            default -> json.skipChildren();
        }
    }

    private static byte type(JsonParser json) throws IOException, MalformedEvent {
        return switch (json.getText()) {
            case "invoke" -> INVOKE;
            case "ok" -> OK;
            case "fail" -> FAIL;
            case "info" -> INFO;
            default ->
                throw new MalformedEvent(
                        "unknown type " + OperationParser.shown(json) + "; it is invoke, ok, fail or info");
        };
    }

    private void value(JsonParser json) throws IOException, MalformedEvent {
        if (json.currentToken() == JsonToken.VALUE_NULL) return;
        if (isFormat) {
            version(OperationParser.integer(json, "the version of the format"));
            return;
        }
        // The value of a process that is no client, such as Jepsen's nemesis, can be anything.
        if (hasProcess && !client || json.currentToken() != JsonToken.START_ARRAY) {
            if (!hasProcess || client) throw new MalformedEvent("\"value\" must be an array of operations");
            json.skipChildren();
            return;
        }
        hasValue = true;
        while (json.nextToken() != JsonToken.END_ARRAY) {
            if (json.currentToken() != JsonToken.START_ARRAY) {
                throw new MalformedEvent(
                        "an operation must be an array such as [\"r\",5,null], not " + OperationParser.shown(json));
            }
            operations.parse(json, version >= HistoryLines.VERSION_WITH_RANGES);
        }
    }

    private void version(long said) throws MalformedEvent {
        if (said < HistoryLines.FIRST_VERSION || said > HistoryLines.VERSION_WITH_RANGES)
            throw new MalformedEvent("the file has version " + said + " of the format, and this program reads versions "
                    + HistoryLines.FIRST_VERSION + " to " + HistoryLines.VERSION_WITH_RANGES
                    + "; check it with a newer one");
        version = (int) said;
    }

    /** Whether the line said which version of the format the file has, and nothing else. */
    boolean isFormat() {
        return isFormat;
    }

    boolean isIndexed() {
        return indexed;
    }

    long index() {
        return index;
    }

    /**
     * Returns false for lines of a process that runs no transactions, such as Jepsen's nemesis: its process is a name.
     */
    boolean isClient() {
        return client;
    }

    long process() {
        return process;
    }

    byte type() {
        return type == OK && !hasValue ? OK_AS_INVOKED : type;
    }

    ParsedOps ops() {
        return ops;
    }
}
