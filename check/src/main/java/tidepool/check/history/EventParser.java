package tidepool.check.history;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/** Reads one line: {@code {"index":0,"process":3,"type":"invoke","f":"txn","value":[["append",5,1],["r",5,null]]}}. */
final class EventParser {
    static final byte INVOKE = 0;
    static final byte OK = 1;
    static final byte FAIL = 2;
    static final byte INFO = 3;

    private static final byte NO_TYPE = -1;

    private final JsonFactory factory = new JsonFactory();
    private final Keys keys;
    private final ParsedOps ops = new ParsedOps();

    private boolean indexed;
    private long index;
    private boolean hasProcess;
    private boolean client;
    private long process;
    private byte type;
    private boolean hasValue;

    EventParser(Keys keys) {
        this.keys = keys;
    }

    /** Takes a line apart; its parts can be asked for until the next call. */
    void parse(byte[] bytes, int start, int length) throws IOException, MalformedEvent {
        indexed = false;
        hasProcess = false;
        client = false;
        type = NO_TYPE;
        hasValue = false;
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
        if (type == OK && !hasValue) throw new MalformedEvent("an ok needs a \"value\": its operations and results");
    }

    private void field(JsonParser json) throws IOException, MalformedEvent {
        String name = json.currentName();
        JsonToken token = json.nextToken();
        switch (name) {
            case "index" -> {
                index = integer(json, "index");
                indexed = true;
            }
            case "process" -> {
                hasProcess = true;
                client = token == JsonToken.VALUE_NUMBER_INT;
                if (client) process = json.getLongValue();
                else if (token != JsonToken.VALUE_STRING) throw new MalformedEvent("\"process\" must be an integer");
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
            default -> throw new MalformedEvent("unknown type " + shown(json) + "; it is invoke, ok, fail or info");
        };
    }

    private void value(JsonParser json) throws IOException, MalformedEvent {
        if (json.currentToken() == JsonToken.VALUE_NULL) return;
        // Those who are no clients, such as Jepsen's nemesis, say what they like.
        if (hasProcess && !client || json.currentToken() != JsonToken.START_ARRAY) {
            if (!hasProcess || client) throw new MalformedEvent("\"value\" must be an array of operations");
            json.skipChildren();
            return;
        }
        hasValue = true;
        while (json.nextToken() != JsonToken.END_ARRAY) {
            if (json.currentToken() != JsonToken.START_ARRAY) {
                throw new MalformedEvent("an operation must be an array such as [\"r\",5,null], not " + shown(json));
            }
            operation(json);
        }
    }

    private void operation(JsonParser json) throws IOException, MalformedEvent {
        if (json.nextToken() != JsonToken.VALUE_STRING) {
            throw new MalformedEvent("an operation begins with its name, not with " + shown(json));
        }
        String name = json.getText();
        switch (name) {
            case "append" -> {
                int key = key(json);
                json.nextToken();
                used(key, Keys.LIST);
                ops.add(Ops.APPEND, key, integer(json, "the element of an append"), Ops.PREVIOUS_UNKNOWN, 0);
                closed(json, json.nextToken());
            }
            case "w" -> write(json, Ops.WRITE);
            case "d" -> write(json, Ops.DELETE);
            case "r" -> {
                read(json, key(json));
                closed(json, json.nextToken());
            }
            default -> throw new MalformedEvent("unknown operation \"" + name + "\"; it is append, r, w or d");
        }
    }

    private void write(JsonParser json, byte kind) throws IOException, MalformedEvent {
        int key = key(json);
        used(key, Keys.REGISTER);
        json.nextToken();
        long version = integer(json, "the version of a write");
        JsonToken token = json.nextToken();
        byte previousKind = Ops.PREVIOUS_UNKNOWN;
        long previous = 0;
        if (token != JsonToken.END_ARRAY) {
            previousKind = token == JsonToken.VALUE_NULL ? Ops.PREVIOUS_NONE : Ops.PREVIOUS_KNOWN;
            if (previousKind == Ops.PREVIOUS_KNOWN) previous = integer(json, "the previous version");
            token = json.nextToken();
        }
        ops.add(kind, key, version, previousKind, previous);
        closed(json, token);
    }

    private void read(JsonParser json, int key) throws IOException, MalformedEvent {
        switch (json.nextToken()) {
            case VALUE_NULL -> ops.add(Ops.READ_NONE, key, 0, Ops.PREVIOUS_UNKNOWN, 0);
            case VALUE_NUMBER_INT -> {
                used(key, Keys.REGISTER);
                ops.add(Ops.READ_VERSION, key, json.getLongValue(), Ops.PREVIOUS_UNKNOWN, 0);
            }
            case START_ARRAY -> {
                used(key, Keys.LIST);
                int from = ops.elementCount();
                while (json.nextToken() != JsonToken.END_ARRAY) ops.addElement(integer(json, "an element of a list"));
                ops.addList(key, from);
            }
            default -> {
                if (!"absent".equals(json.getText())) {
                    throw new MalformedEvent("a read sees a list, a version, null or \"absent\", not " + shown(json));
                }
                used(key, Keys.REGISTER);
                ops.add(Ops.READ_ABSENT, key, 0, Ops.PREVIOUS_UNKNOWN, 0);
            }
        }
    }

    private int key(JsonParser json) throws IOException, MalformedEvent {
        JsonToken token = json.nextToken();
        if (token == JsonToken.VALUE_NUMBER_INT) return keys.intern(json.getLongValue());
        if (token == JsonToken.VALUE_STRING) return keys.intern(json.getText());
        throw new MalformedEvent("a key must be an integer or a string, not " + shown(json));
    }

    private void used(int key, byte use) throws MalformedEvent {
        if (!keys.use(key, use)) {
            throw new MalformedEvent("key " + keys.name(key) + " is used both as a list and as a register");
        }
    }

    private static long integer(JsonParser json, String what) throws IOException, MalformedEvent {
        if (json.currentToken() == JsonToken.VALUE_NUMBER_INT) return json.getLongValue();
        throw new MalformedEvent(what + " must be an integer, not " + shown(json));
    }

    private static void closed(JsonParser json, JsonToken token) throws IOException, MalformedEvent {
        if (token != JsonToken.END_ARRAY)
            throw new MalformedEvent("an operation has one part too many: " + shown(json));
    }

    private static String shown(JsonParser json) throws IOException {
        String text = json.currentToken() == null ? "nothing" : json.getText();
        return text.length() <= 40 ? text : text.substring(0, 40) + "…";
    }

    boolean isIndexed() {
        return indexed;
    }

    long index() {
        return index;
    }

    /** False for lines of those who do no transactions, such as Jepsen's nemesis: their process is a name. */
    boolean isClient() {
        return client;
    }

    long process() {
        return process;
    }

    byte type() {
        return type;
    }

    boolean hasValue() {
        return hasValue;
    }

    ParsedOps ops() {
        return ops;
    }
}
