/* Judges PDFs with veraPDF. Arguments: ua1=a.pdf 2b=b.pdf … Prints a line for each: the argument, the number of checks,
 * and each rule that it breaks, between tabs. */

import java.io.FileInputStream;
import java.util.TreeSet;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.flavours.PDFAFlavour;

class Judge {
  public static void main(String[] arguments) throws Exception {
    VeraGreenfieldFoundryProvider.initialise();
    var foundry = Foundries.defaultInstance();
    for (var argument : arguments) {
      var flavour = PDFAFlavour.fromString(argument.split("=", 2)[0]);
      try (var file = new FileInputStream(argument.split("=", 2)[1]);
          var parser = foundry.createParser(file, flavour);
          var validator = foundry.createValidator(flavour, false)) {
        var result = validator.validate(parser);
        var broken = new TreeSet<String>();
        for (var each : result.getTestAssertions()) {
          var rule = each.getRuleId();
          broken.add(rule.getClause() + "-" + rule.getTestNumber() + " " + each.getMessage());
        }
        if (broken.isEmpty() != result.isCompliant()) {
          broken.add("veraPDF calls it " + (result.isCompliant() ? "sound" : "broken"));
        }
        System.out.println(argument + "\t" + result.getTotalAssertions() + String.join("", broken.stream().map(s -> "\t" + s).toList()));
      }
    }
  }
}
