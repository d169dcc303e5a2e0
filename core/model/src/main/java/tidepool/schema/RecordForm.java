package tidepool.schema;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The form of a record that is the element of a list: its attributes without holes, in their order. */
final class RecordForm extends Form {
    private final RecordParts parts;
    private PackedRecord packed;
    private MethodHandle write; // (M, J, Object) void
    private MethodHandle read; // (M, J) Object

    RecordForm(String name, RecordParts parts) {
        super(name, typeOf(parts));
        this.parts = parts;
        Map<String, Integer> offsets = new HashMap<>();
        for (Attribute each : type.members()) offsets.put(each.name(), each.offset());
        parts.place(offsets::get);
    }

    private static AttributeType typeOf(RecordParts parts) {
        List<String> names = new ArrayList<>();
        List<AttributeType> types = new ArrayList<>();
        parts.attributes((path, type) -> {
            names.add(path);
            types.add(type);
        });
        return AttributeType.record(names, types);
    }

    @Override
    void bind(MethodHandles.Lookup lookup) throws IllegalAccessException {
        MethodHandles.Lookup reach = RecordParts.reach(parts.type, lookup);
        packed = PackedRecord.of(parts, reach);
        write = parts.writer(reach)
                .asType(MethodType.methodType(void.class, MemorySegment.class, long.class, Object.class));
        read = MethodHandles.insertArguments(parts.reader(List.of(), long.class, reach), 0, 0L)
                .asType(MethodType.methodType(Object.class, MemorySegment.class, long.class));
    }

    @Override
    void pack(Object value, PackedBytes to) {
        packed.pack(required(value), to);
    }

    @Override
    Object unpack(PackedReader from) {
        return packed.unpack(from);
    }

    @Override
    void write(Object value, MemorySegment memory, long at) {
        required(value);
        try {
            write.invokeExact(memory, at, value);
        } catch (Throwable e) {
            throw RecordCodec.unchecked(e);
        }
    }

    @Override
    Object read(MemorySegment memory, long at) {
        try {
            return (Object) read.invokeExact(memory, at);
        } catch (Throwable e) {
            throw RecordCodec.unchecked(e);
        }
    }
}
