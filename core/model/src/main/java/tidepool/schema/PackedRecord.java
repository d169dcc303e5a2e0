package tidepool.schema;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tidepool.schema.RecordParts.Absence;
import tidepool.schema.RecordParts.Part;

/**
 * Packs records for long lists: their components in their order, each with the bytes that it needs. A nested record
 * that may be absent has a byte in front.
 */
final class PackedRecord {
    private static final MethodType GET = MethodType.methodType(Object.class, Object.class);

    /** A component: exactly one of form and nested is set. */
    private record Component(Part part, MethodHandle accessor, Form form, PackedRecord nested) {}

    private final List<Component> components;
    private final MethodHandle constructor; // (Object[]) Object

    private PackedRecord(List<Component> components, MethodHandle constructor) {
        this.components = components;
        this.constructor = constructor;
    }

    static PackedRecord of(RecordParts parts, MethodHandles.Lookup lookup) throws IllegalAccessException {
        List<Component> components = new ArrayList<>();
        for (Part each : parts.parts) {
            MethodHandle accessor =
                    lookup.unreflect(each.component.getAccessor()).asType(GET);
            if (each.nested != null) {
                MethodHandles.Lookup reach = RecordParts.reach(each.nested.type, lookup);
                components.add(new Component(each, accessor, null, of(each.nested, reach)));
            } else {
                Form form = each.form != null ? each.form : new LeafForm(each.path, each.primitive);
                form.bind(lookup);
                components.add(new Component(each, accessor, form, null));
            }
        }
        MethodHandle constructor = parts.constructor(lookup);
        return new PackedRecord(
                components,
                constructor.asType(constructor.type().generic()).asSpreader(Object[].class, parts.parts.size()));
    }

    void pack(Object record, PackedBytes to) {
        for (Component each : components) {
            Object value = get(each, record);
            if (each.form != null) each.form.pack(value, to);
            else packNested(each, value, to);
        }
    }

    private static void packNested(Component component, Object value, PackedBytes to) {
        Part part = component.part;
        Object nested = part.absence == Absence.EMPTY_OPTIONAL ? Form.Maybe.orNull(part.path, value) : value;
        if (part.absence == Absence.NEVER) RecordParts.required(part.path, nested);
        else to.putByte(nested == null ? 0 : 1);
        if (nested != null) component.nested.pack(nested, to);
    }

    Object unpack(PackedReader from) {
        Object[] values = new Object[components.size()];
        for (int i = 0; i < values.length; i++) {
            Component each = components.get(i);
            values[i] = each.form != null ? each.form.unpack(from) : unpackNested(each, from);
        }
        try {
            return (Object) constructor.invokeExact(values);
        } catch (Throwable e) {
            throw RecordCodec.unchecked(e);
        }
    }

    private static Object unpackNested(Component component, PackedReader from) {
        Absence absence = component.part.absence;
        Object nested = absence == Absence.NEVER || from.nextByte() != 0 ? component.nested.unpack(from) : null;
        return absence == Absence.EMPTY_OPTIONAL ? Optional.ofNullable(nested) : nested;
    }

    private static Object get(Component component, Object record) {
        try {
            return (Object) component.accessor.invokeExact(record);
        } catch (Throwable e) {
            throw RecordCodec.unchecked(e);
        }
    }
}
