package tidepool.mutants;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Instruction;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/** A kind of change to one instruction. Each keeps the stack valid for the verifier. */
enum Mutation {
    /** Negates a condition. */
    NEGATE {
        @Override
        String describe(Instruction at, ClassDesc returned) {
            return at instanceof BranchInstruction branch && NEGATED.containsKey(branch.opcode())
                    ? "condition negated"
                    : null;
        }

        @Override
        void change(Instruction at, ClassDesc returned, CodeBuilder code) {
            BranchInstruction branch = (BranchInstruction) at;
            code.with(BranchInstruction.of(NEGATED.get(branch.opcode()), branch.target()));
        }
    },

    /** Swaps a comparison with the one that differs only for equal operands, such as &lt; with &lt;=. */
    BOUNDARY {
        @Override
        String describe(Instruction at, ClassDesc returned) {
            return at instanceof BranchInstruction branch && SHIFTED.containsKey(branch.opcode())
                    ? "boundary of a comparison moved by one"
                    : null;
        }

        @Override
        void change(Instruction at, ClassDesc returned, CodeBuilder code) {
            BranchInstruction branch = (BranchInstruction) at;
            code.with(BranchInstruction.of(SHIFTED.get(branch.opcode()), branch.target()));
        }
    },

    /** A call that returns nothing is left out. */
    DROP_CALL {
        @Override
        String describe(Instruction at, ClassDesc returned) {
            if (!(at instanceof InvokeInstruction call)) return null;
            String owner = call.owner().asInternalName();
            boolean drops = call.typeSymbol().returnType().equals(ConstantDescs.CD_void)
                    && !call.name().equalsString("<init>")
                    && !DEFENSIVE.contains(owner);
            return drops
                    ? "call of " + owner.substring(owner.lastIndexOf('/') + 1) + "." + call.name() + " left out"
                    : null;
        }

        @Override
        void change(Instruction at, ClassDesc returned, CodeBuilder code) {
            InvokeInstruction call = (InvokeInstruction) at;
            for (int i = call.typeSymbol().parameterCount() - 1; i >= 0; i--)
                if (TypeKind.from(call.typeSymbol().parameterType(i)).slotSize() == 2) code.pop2();
                else code.pop();
            if (call.opcode() != Opcode.INVOKESTATIC) code.pop();
        }
    },

    /** A method returns another value. */
    RETURN {
        @Override
        String describe(Instruction at, ClassDesc returned) {
            if (!(at instanceof ReturnInstruction)) return null;
            if (returned.equals(ConstantDescs.CD_boolean)) return "opposite returned";
            return switch (TypeKind.from(returned).asLoadable()) {
                case INT, LONG -> "one more returned";
                case REFERENCE -> "null returned";
                default -> null;
            };
        }

        @Override
        void change(Instruction at, ClassDesc returned, CodeBuilder code) {
            if (returned.equals(ConstantDescs.CD_boolean)) code.iconst_1().ixor();
            else
                switch (TypeKind.from(returned).asLoadable()) {
                    case INT -> code.iconst_1().iadd();
                    case LONG -> code.lconst_1().ladd();
                    default -> code.pop().aconst_null();
                }
            code.with(at);
        }
    },

    /** A number is replaced by another one. */
    CONSTANT {
        @Override
        String describe(Instruction at, ClassDesc returned) {
            if (!(at instanceof ConstantInstruction constant)) return null;
            return switch (constant.constantValue()) {
                case Integer number -> number + " replaced by " + other(number);
                case Long number -> number + " replaced by " + other(number);
                default -> null;
            };
        }

        @Override
        void change(Instruction at, ClassDesc returned, CodeBuilder code) {
            switch (((ConstantInstruction) at).constantValue()) {
                case Integer number -> code.loadConstant((int) other(number));
                case Long number -> code.loadConstant(other(number));
                default -> throw new AssertionError(at);
            }
        }

        // One is often a truth value, and two would be an equal one.
        private long other(long number) {
            return number == 1 ? 0 : number + 1;
        }
    },

    /** An operator is replaced: plus by minus, and by or, left shift by right shift. */
    OPERATOR {
        @Override
        String describe(Instruction at, ClassDesc returned) {
            Opcode other = at instanceof OperatorInstruction ? OPERATORS.get(at.opcode()) : null;
            return other == null ? null : at.opcode() + " replaced by " + other;
        }

        @Override
        void change(Instruction at, ClassDesc returned, CodeBuilder code) {
            code.with(OperatorInstruction.of(OPERATORS.get(at.opcode())));
        }
    },

    /** A variable is counted in the other direction. */
    INCREMENT {
        @Override
        String describe(Instruction at, ClassDesc returned) {
            return at instanceof IncrementInstruction ? "increment negated" : null;
        }

        @Override
        void change(Instruction at, ClassDesc returned, CodeBuilder code) {
            IncrementInstruction increment = (IncrementInstruction) at;
            code.iinc(increment.slot(), -increment.constant());
        }
    };

    /** Calls that only check or only report: without them a correct program does the same. */
    private static final Set<String> DEFENSIVE =
            Set.of("tidepool/base/Checks", "java/lang/System$Logger", "java/util/Objects", "jdk/jfr/Event");

    private static final Map<Opcode, Opcode> NEGATED = new EnumMap<>(Opcode.class);
    private static final Map<Opcode, Opcode> SHIFTED = new EnumMap<>(Opcode.class);
    private static final Map<Opcode, Opcode> OPERATORS = new EnumMap<>(Opcode.class);

    static {
        pair(NEGATED, Opcode.IFEQ, Opcode.IFNE);
        pair(NEGATED, Opcode.IFLT, Opcode.IFGE);
        pair(NEGATED, Opcode.IFGT, Opcode.IFLE);
        pair(NEGATED, Opcode.IF_ICMPEQ, Opcode.IF_ICMPNE);
        pair(NEGATED, Opcode.IF_ICMPLT, Opcode.IF_ICMPGE);
        pair(NEGATED, Opcode.IF_ICMPGT, Opcode.IF_ICMPLE);
        pair(NEGATED, Opcode.IF_ACMPEQ, Opcode.IF_ACMPNE);
        pair(NEGATED, Opcode.IFNULL, Opcode.IFNONNULL);
        pair(SHIFTED, Opcode.IFLT, Opcode.IFLE);
        pair(SHIFTED, Opcode.IFGT, Opcode.IFGE);
        pair(SHIFTED, Opcode.IF_ICMPLT, Opcode.IF_ICMPLE);
        pair(SHIFTED, Opcode.IF_ICMPGT, Opcode.IF_ICMPGE);
        pair(OPERATORS, Opcode.IADD, Opcode.ISUB);
        pair(OPERATORS, Opcode.LADD, Opcode.LSUB);
        pair(OPERATORS, Opcode.IAND, Opcode.IOR);
        pair(OPERATORS, Opcode.LAND, Opcode.LOR);
        pair(OPERATORS, Opcode.ISHL, Opcode.ISHR);
        pair(OPERATORS, Opcode.LSHL, Opcode.LSHR);
        pair(OPERATORS, Opcode.IMUL, Opcode.IDIV);
        pair(OPERATORS, Opcode.LMUL, Opcode.LDIV);
    }

    private static void pair(Map<Opcode, Opcode> to, Opcode one, Opcode other) {
        to.put(one, other);
        to.put(other, one);
    }

    /** Returns a description of the change to the instruction; null if this kind does not apply to it. */
    abstract String describe(Instruction at, ClassDesc returned);

    /** Writes the changed instruction. */
    abstract void change(Instruction at, ClassDesc returned, CodeBuilder code);
}
