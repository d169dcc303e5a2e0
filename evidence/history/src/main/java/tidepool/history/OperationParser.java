package tidepool.history;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/** Parses one operation of a line: {@code ["append",5,1]}, {@code ["r",5,null]}, {@code ["i",7,12,3,11]}. */
final class OperationParser {
    private final KeyNumbering keys;
    private final ParsedOps ops;

    OperationParser(KeyNumbering keys, ParsedOps ops) {
        this.keys = keys;
        this.ops = ops;
    }

    /**
     * Starts after the opening bracket; stops at the closing one.
     *
     * @param mayBeRange whether the file has a version of the format that has range reads
     */
    void parse(JsonParser json, boolean mayBeRange) throws IOException, MalformedEvent {
        if (json.nextToken() != JsonToken.VALUE_STRING) {
            throw new MalformedEvent("an operation begins with its name, not with " + shown(json));
        }
        String name = json.getText();
        switch (name) {
            case "append" -> append(json);
            case "w" -> write(json, Ops.WRITE);
            case "d" -> write(json, Ops.DELETE);
            case "i" -> insert(json);
            case "n" -> notFound(json);
            case "s" -> split(json);
            case "r" -> read(json, key(json));
            case "range", "at" -> {
                if (!mayBeRange)
                    throw new MalformedEvent(
                            "operation \"" + name + "\" needs a file whose first line is " + HistoryLines.FORMAT_LINE);
                if (name.equals("at")) entry(json);
                else range(json);
            }
            default ->
                throw new MalformedEvent(
                        "unknown operation \"" + name + "\"; it is append, r, w, d, i, n, s, range or at");
        }
    }

    private void append(JsonParser json) throws IOException, MalformedEvent {
        int key = key(json);
        json.nextToken();
        used(key, KeyNumbering.LIST);
        ops.add(Ops.APPEND, key, integer(json, "the element of an append"), Ops.PREVIOUS_UNKNOWN, 0);
        closed(json, json.nextToken());
    }

    private void write(JsonParser json, byte kind) throws IOException, MalformedEvent {
        int key = key(json);
        used(key, KeyNumbering.REGISTER);
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
        if (kind == Ops.DELETE && token != JsonToken.END_ARRAY) {
            int bucket = bucket(json);
            ops.addChange(kind, key, version, previousKind, previous, bucket, bucketVersion(json));
            token = json.nextToken();
        } else {
            ops.add(kind, key, version, previousKind, previous);
        }
        closed(json, token);
    }

    private void insert(JsonParser json) throws IOException, MalformedEvent {
        int key = key(json);
        used(key, KeyNumbering.REGISTER);
        json.nextToken();
        long version = integer(json, "the version of an insert");
        json.nextToken();
        int bucket = bucket(json);
        ops.addChange(Ops.WRITE, key, version, Ops.PREVIOUS_ABSENT, 0, bucket, bucketVersion(json));
        closed(json, json.nextToken());
    }

    private void notFound(JsonParser json) throws IOException, MalformedEvent {
        int key = key(json);
        used(key, KeyNumbering.REGISTER);
        json.nextToken();
        int bucket = bucket(json);
        ops.addNotFound(key, bucket, bucketVersion(json));
        closed(json, json.nextToken());
    }

    private void split(JsonParser json) throws IOException, MalformedEvent {
        json.nextToken();
        long version = integer(json, "the version of a split");
        json.nextToken();
        int from = bucket(json);
        long replaced = bucketVersion(json);
        json.nextToken();
        int to = bucket(json);
        if (from == to) throw new MalformedEvent("a split has two buckets, not " + keys.title(from) + " twice");
        ops.addSplit(version, from, replaced, to, bucketVersion(json));
        closed(json, json.nextToken());
    }

    private void entry(JsonParser json) throws IOException, MalformedEvent {
        int key = key(json);
        used(key, KeyNumbering.REGISTER);
        json.nextToken();
        int index = keys.internIndex(integer(json, "the number of an index"));
        if (keys.number(index) == MicroOp.KEY_ORDER)
            throw new MalformedEvent("index " + MicroOp.KEY_ORDER + " has every row at its key; it needs no \"at\"");
        json.nextToken();
        long position = integer(json, "a position of an index");
        if (!ops.addEntry(key, index, position))
            throw new MalformedEvent("\"at\" comes after the write of its row, key " + keys.name(key));
        closed(json, json.nextToken());
    }

    private void range(JsonParser json) throws IOException, MalformedEvent {
        json.nextToken();
        int index = keys.internIndex(integer(json, "the number of an index"));
        long from = integerOr(json, Long.MIN_VALUE, "the beginning of a range");
        long through = integerOr(json, Long.MAX_VALUE, "the end of a range");
        json.nextToken();
        String direction = json.getText();
        if (!"up".equals(direction) && !"down".equals(direction))
            throw new MalformedEvent("a range is read \"up\" or \"down\", not " + shown(json));
        long limit = integerOr(json, Long.MAX_VALUE, "the limit of a range");
        if (limit < 0) throw new MalformedEvent("a limit is not negative: " + limit);
        if (json.nextToken() == JsonToken.VALUE_NULL) {
            ops.add(Ops.UNREAD, index, 0, Ops.PREVIOUS_UNKNOWN, 0);
        } else {
            if (json.currentToken() != JsonToken.START_ARRAY)
                throw new MalformedEvent("a range read has an array of rows, not " + shown(json));
            int range = ops.ranges().add(from, through, direction.equals("down"), limit);
            while (json.nextToken() != JsonToken.END_ARRAY) row(json, index);
            ops.addRange(index, range);
        }
        closed(json, json.nextToken());
    }

    /** Parses a row of a range read: {@code [key,version]}, {@code [key,null,position]}. */
    private void row(JsonParser json, int index) throws IOException, MalformedEvent {
        if (json.currentToken() != JsonToken.START_ARRAY)
            throw new MalformedEvent("a row of a range read is an array such as [5,12], not " + shown(json));
        int key = key(json);
        used(key, KeyNumbering.REGISTER);
        if (!keys.isOrdered(key)) throw new MalformedEvent("keys in range reads are integers, not " + keys.name(key));
        boolean hasVersion = json.nextToken() != JsonToken.VALUE_NULL;
        long version = hasVersion ? integer(json, "the version of a row") : 0;
        long position = keys.number(key);
        JsonToken token = json.nextToken();
        if (keys.number(index) != MicroOp.KEY_ORDER) {
            position = integer(json, "the position of a row in " + keys.name(index));
            token = json.nextToken();
        }
        ops.ranges().addRow(key, hasVersion, version, position);
        closed(json, token);
    }

    private static long integerOr(JsonParser json, long ifNull, String what) throws IOException, MalformedEvent {
        return json.nextToken() == JsonToken.VALUE_NULL ? ifNull : integer(json, what);
    }

    private int bucket(JsonParser json) throws IOException, MalformedEvent {
        return keys.internBucket(integer(json, "the number of a bucket"));
    }

    private static long bucketVersion(JsonParser json) throws IOException, MalformedEvent {
        if (json.nextToken() == JsonToken.VALUE_NULL) return MicroOp.NEVER;
        long version = integer(json, "the version of a bucket");
        if (version == MicroOp.NEVER)
            throw new MalformedEvent("a bucket that nobody has written has version null, not 0");
        return version;
    }

    private void read(JsonParser json, int key) throws IOException, MalformedEvent {
        switch (json.nextToken()) {
            case VALUE_NULL -> ops.add(Ops.READ_NONE, key, 0, Ops.PREVIOUS_UNKNOWN, 0);
            case VALUE_NUMBER_INT -> {
                used(key, KeyNumbering.REGISTER);
                ops.add(Ops.READ_VERSION, key, json.getLongValue(), Ops.PREVIOUS_UNKNOWN, 0);
            }
            case START_ARRAY -> {
                used(key, KeyNumbering.LIST);
                int from = ops.elementCount();
                while (json.nextToken() != JsonToken.END_ARRAY) ops.addElement(integer(json, "an element of a list"));
                ops.addList(key, from);
            }
            default -> {
                if (!"absent".equals(json.getText())) {
                    throw new MalformedEvent("a read sees a list, a version, null or \"absent\", not " + shown(json));
                }
                used(key, KeyNumbering.REGISTER);
                ops.add(Ops.READ_ABSENT, key, 0, Ops.PREVIOUS_UNKNOWN, 0);
            }
        }
        closed(json, json.nextToken());
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

    static long integer(JsonParser json, String what) throws IOException, MalformedEvent {
        if (json.currentToken() == JsonToken.VALUE_NUMBER_INT) return json.getLongValue();
        throw new MalformedEvent(what + " must be an integer, not " + shown(json));
    }

    private static void closed(JsonParser json, JsonToken token) throws IOException, MalformedEvent {
        if (token != JsonToken.END_ARRAY)
            throw new MalformedEvent("an operation has one part too many: " + shown(json));
    }

    static String shown(JsonParser json) throws IOException {
        String text = json.currentToken() == null ? "nothing" : json.getText();
        return text.length() <= 40 ? text : text.substring(0, 40) + "…";
    }
}
