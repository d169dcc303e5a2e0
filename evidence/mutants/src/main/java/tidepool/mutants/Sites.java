package tidepool.mutants;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.constant.ClassDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/** The places of compiled classes that can be changed. */
final class Sites {
    /** Methods that only describe: their results are only shown to people. */
    private static final Set<String> DESCRIBING = Set.of("toString", "hashCode", "describe");

    private final ClassFile classFile;

    /**
     * Number of methods traced so far, in an order that depends on the classes alone: kept lines refer to them by
     * number.
     */
    private int traced;

    /** @param loader finds the classes that the changed ones refer to, for the verifier's tables */
    Sites(ClassLoader loader) {
        classFile =
                ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofResourceParsing(loader)
                        .orElse(ClassHierarchyResolver.defaultResolver())
                        .cached()));
    }

    /** Returns every mutant of a class, in the order of its instructions. */
    List<Mutant> of(byte[] bytes) {
        ClassModel model = classFile.parse(bytes);
        List<Mutant> mutants = new ArrayList<>();
        if (model.isModuleInfo()) return mutants;
        String type = model.thisClass().asInternalName();
        String file = model.findAttribute(Attributes.sourceFile())
                .map(source -> source.sourceFile().stringValue())
                .orElse("unknown");
        Set<String> generated = generated(model, type);
        boolean isEnum = model.flags().has(AccessFlag.ENUM);
        for (MethodModel method : model.methods()) {
            if (!isOfInterest(method) || generated.contains(key(method))) continue;
            ClassDesc returned = method.methodTypeSymbol().returnType();
            boolean makesConstants = isEnum && method.methodName().stringValue().equals("<clinit>");
            int[] at = {0, 0};
            Instruction[] before = {null, null};
            method.code().orElseThrow().forEach(element -> {
                if (element instanceof LineNumber number) at[1] = number.line();
                if (!(element instanceof Instruction instruction)) return;
                boolean isOrdinal = makesConstants && isName(before[1]) && isDuplicate(before[0]);
                before[0] = before[1];
                before[1] = instruction;
                if (!isOrdinal)
                    for (Mutation mutation : Mutation.values()) {
                        String what = mutation.describe(instruction, returned);
                        if (what != null)
                            mutants.add(new Mutant(type, file, key(method), at[0], at[1], mutation, what));
                    }
                at[0]++;
            });
        }
        return mutants;
    }

    /**
     * Returns the methods that the compiler makes: no change of the source gives such a mutant. They are accessors of
     * records, {@code equals} of a record that has no other, and {@code values} and {@code valueOf} of enums.
     */
    private static Set<String> generated(ClassModel model, String type) {
        Set<String> generated = new HashSet<>();
        model.findAttribute(Attributes.record()).ifPresent(record -> {
            record.components().forEach(part -> generated.add(part.name() + "()" + part.descriptor()));
            for (MethodModel method : model.methods()) if (comparesAllParts(method)) generated.add(key(method));
        });
        if (model.flags().has(AccessFlag.ENUM))
            generated.addAll(List.of("values()[L" + type + ";", "valueOf(Ljava/lang/String;)L" + type + ";"));
        return generated;
    }

    private static boolean comparesAllParts(MethodModel method) {
        if (!key(method).equals("equals(Ljava/lang/Object;)Z")) return false;
        for (CodeElement element : method.code().orElseThrow())
            if (element instanceof InvokeDynamicInstruction call
                    && call.bootstrapMethod().owner().displayName().equals("ObjectMethods")) return true;
        return false;
    }

    private static boolean isName(Instruction instruction) {
        return instruction instanceof ConstantInstruction constant && constant.constantValue() instanceof String;
    }

    private static boolean isDuplicate(Instruction instruction) {
        return instruction != null && instruction.opcode() == Opcode.DUP;
    }

    /** Returns the class with one fault. */
    byte[] changed(byte[] bytes, Mutant mutant) {
        return transformed(bytes, (method, code) -> code.equals(mutant.method()) ? new Change(method, mutant) : null);
    }

    /**
     * Returns the class with a call of {@link MethodCoverage#enter} at the beginning of each method, and reports their
     * numbers.
     */
    byte[] traced(byte[] bytes, BiConsumer<String, Integer> methods) {
        String type = classFile.parse(bytes).thisClass().asInternalName();
        return transformed(bytes, (_, key) -> {
            int number = traced++;
            if (number == MethodCoverage.MAX_METHODS)
                throw new IllegalStateException("more than " + number + " methods are traced");
            methods.accept(type + "." + key, number);
            return new Entry(number);
        });
    }

    private interface Changer {
        CodeTransform of(MethodModel method, String key);
    }

    private byte[] transformed(byte[] bytes, Changer changer) {
        ClassModel model = classFile.parse(bytes);
        return classFile.transformClass(model, (builder, element) -> {
            if (element instanceof MethodModel method && method.code().isPresent()) {
                CodeTransform transform = changer.of(method, key(method));
                if (transform != null) {
                    builder.transformMethod(method, java.lang.classfile.MethodTransform.transformingCode(transform));
                    return;
                }
            }
            builder.with(element);
        });
    }

    private static boolean isOfInterest(MethodModel method) {
        return method.code().isPresent()
                && !method.flags().has(AccessFlag.BRIDGE)
                && (!method.flags().has(AccessFlag.SYNTHETIC)
                        || method.methodName().stringValue().startsWith("lambda$"))
                && !DESCRIBING.contains(method.methodName().stringValue());
    }

    private static String key(MethodModel method) {
        return method.methodName().stringValue() + method.methodType().stringValue();
    }

    private static final class Change implements CodeTransform {
        private final ClassDesc returned;
        private final Mutant mutant;
        private int instruction;

        Change(MethodModel method, Mutant mutant) {
            this.returned = method.methodTypeSymbol().returnType();
            this.mutant = mutant;
        }

        @Override
        public void accept(CodeBuilder code, CodeElement element) {
            if (element instanceof Instruction here && instruction++ == mutant.instruction())
                mutant.mutation().change(here, returned, code);
            else code.with(element);
        }
    }

    private static final class Entry implements CodeTransform {
        private final int number;

        Entry(int number) {
            this.number = number;
        }

        @Override
        public void atStart(CodeBuilder code) {
            code.loadConstant(number)
                    .invokestatic(
                            ClassDesc.of("tidepool.mutants.MethodCoverage"),
                            "enter",
                            java.lang.constant.MethodTypeDesc.ofDescriptor("(I)V"));
        }

        @Override
        public void accept(CodeBuilder code, CodeElement element) {
            code.with(element);
        }
    }
}
